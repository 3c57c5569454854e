//! What the widths and colours of the links mean.

use yew::prelude::*;

use crate::text::Text;
use crate::view::LEVELS;

/// The scale of colours, or a word that no traffic is known.
pub(super) fn legend(loaded: bool, text: &Text) -> Html {
    html! {
        <div class="picture-legend" role="group" aria-label={text.get("picture-legend")}>
            <span>{ text.get("picture-legend-width") }</span>
            if loaded {
                <span>{ text.get("picture-legend-colour") }</span>
                <span class="heat-scale">
                    <span>{ text.percent(0.0) }</span>
                    { for (0..=LEVELS).map(|level| html! {
                        <svg width="16" height="8" aria-hidden="true">
                            <rect class={format!("heat-fill-{level}")} width="16" height="8" />
                        </svg>
                    }) }
                    <span>{ text.percent(1.0) }</span>
                </span>
            } else {
                <span>{ text.get("picture-legend-idle") }</span>
            }
        </div>
    }
}
