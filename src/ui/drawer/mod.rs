//! The tabs of the drawer: tables and charts behind the answer. Every chart has its table.

mod candidates;
mod communication;
mod memory;
mod platforms;
mod time;

pub use candidates::CandidatesTab;
pub use communication::CommunicationTab;
pub use memory::MemoryTab;
pub use platforms::PlatformsTab;
pub use time::TimeTab;

use std::rc::Rc;

use planner::answer::Answer;
use yew::{Html, Properties, html};

use crate::text::Text;

/// What most tabs take.
#[derive(Clone, PartialEq, Properties)]
pub struct TabProps {
    pub answer: Rc<Answer>,
}

/// The tab when there is no plan to show.
fn nothing(text: &Text) -> Html {
    html! {
        <div class="tab-empty">
            <p>{ text.get("answer-nothing-title") }</p>
            <p class="soft">{ text.get("answer-nothing-hint") }</p>
        </div>
    }
}
