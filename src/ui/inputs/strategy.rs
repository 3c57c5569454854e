//! Section 4: pins. What is not pinned the search chooses.

use planner::strategy::{Framework, Offload, Pins, Recompute, Zero};
use project::{Command, Pin, Word};
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_context};

use super::Section;
use super::choices::{label, pinned_choice, pinned_number};
use crate::text::Text;
use crate::ui::fields::Switch;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct StrategyProps {
    pub pins: Pins,
    /// Fields whose pins break a rule.
    pub refused: Vec<AttrValue>,
    pub on_edit: Callback<Command>,
}

/// The stacks that the search knows how to launch; the others describe measured runs.
const SEARCHED: [Framework; 3] =
    [Framework::MegatronCore, Framework::DeepSpeed, Framework::Torchtitan];

#[component]
pub(super) fn StrategySection(props: &StrategyProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let StrategyProps { pins, refused, on_edit } = props;
    let offered: Vec<Framework> = match pins.framework {
        Some(other) if !SEARCHED.contains(&other) => SEARCHED.into_iter().chain([other]).collect(),
        _ => SEARCHED.to_vec(),
    };
    let framework = on_edit.reform(|value| Command::Pin(Pin::Framework(value)));
    let zero = on_edit.reform(|value| Command::Pin(Pin::Zero(value)));
    let recompute = on_edit.reform(|value| Command::Pin(Pin::Recompute(value)));
    let offload = on_edit.reform(|value| Command::Pin(Pin::Offload(value)));
    let activations =
        on_edit.reform(|on: bool| Command::Pin(Pin::ActivationOffload(on.then_some(true))));
    let number = |path, value, pin| pinned_number(&text, path, value, refused, on_edit, pin);
    html! {
        <Section number={4} title="section-strategy" extra={free_all(&text, pins, on_edit)}>
            { pinned_choice(&text, "pins.framework", "framework",
                (pins.framework, &offered), refused, framework) }
            <div class="pair">
                { number("pins.tp", pins.tp, Pin::Tp) }
                { number("pins.pp", pins.pp, Pin::Pp) }
                { number("pins.cp", pins.cp, Pin::Cp) }
                { number("pins.ep", pins.ep, Pin::Ep) }
                { number("pins.vpp", pins.vpp, Pin::Vpp) }
                { number("pins.micro_batch", pins.micro_batch, Pin::MicroBatch) }
            </div>
            { pinned_choice(&text, "pins.zero", "zero", (pins.zero, Zero::ALL), refused, zero) }
            { pinned_choice(&text, "pins.recompute", "recompute",
                (pins.recompute, Recompute::ALL), refused, recompute) }
            { pinned_choice(&text, "pins.offload", "offload",
                (pins.offload, Offload::ALL), refused, offload) }
            if moves_activations(pins) {
                <Switch
                    id="pins.activation_offload"
                    label={label(&text, "pins.activation_offload")}
                    on={pins.activation_offload == Some(true)}
                    on_toggle={activations}
                />
            }
        </Section>
    }
}

/// Shown with the stack that can do it, and wherever it is pinned.
fn moves_activations(pins: &Pins) -> bool {
    pins.framework == Some(Framework::DeepSpeed) || pins.activation_offload.is_some()
}

fn free_all(text: &Text, pins: &Pins, on_edit: &Callback<Command>) -> Html {
    if *pins == Pins::default() {
        return html! { <span class="hint">{ text.get("strategy-all-auto") }</span> };
    }
    let onclick = {
        let on_edit = on_edit.clone();
        Callback::from(move |_: MouseEvent| on_edit.emit(Command::Pins(Pins::default())))
    };
    html! {
        <button type="button" class="link" {onclick}>{ text.get("strategy-free-all") }</button>
    }
}
