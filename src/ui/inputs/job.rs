//! Section 2: what is trained, and how much.

use planner::strategy::{Adapter, Job, JobKind};
use project::{Command, Word};
use yew::{AttrValue, Callback, Html, Properties, component, html, use_context};

use super::Section;
use super::choices::{choice, label, number, whole, word};
use crate::text::Text;
use crate::ui::fields::{Segments, Switch, Unit};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct JobProps {
    pub job: Job,
    pub on_edit: Callback<Command>,
}

#[component]
pub(super) fn JobSection(props: &JobProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let JobProps { job, on_edit } = props;
    let kinds: Vec<AttrValue> =
        JobKind::ALL.iter().map(|kind| word(&text, "kind", *kind)).collect();
    let kind = JobKind::ALL.iter().position(|kind| *kind == job.kind).unwrap_or(0);
    let choose_kind = {
        let on_edit = on_edit.clone();
        Callback::from(move |index: usize| {
            if let Some(kind) = JobKind::ALL.get(index) {
                on_edit.emit(Command::JobKind(*kind));
            }
        })
    };
    let precision = on_edit.reform(Command::Precision);
    let optimizer = on_edit.reform(Command::Optimizer);
    let tokens = on_edit.reform(Command::Tokens);
    html! {
        <Section number={2} title="section-job">
            <Segments
                id="job.kind"
                label={label(&text, "job.kind")}
                value={kind}
                choices={kinds}
                on_choose={choose_kind}
            />
            { number(&text, "job.tokens", (job.tokens, Unit::Tokens), tokens) }
            { whole(&text, "job.sequence", job.sequence, on_edit, Command::Sequence) }
            { whole(&text, "job.global_batch", job.global_batch, on_edit, Command::GlobalBatch) }
            if job.kind == JobKind::Lora {
                { adapter(&text, job.adapter, on_edit) }
            }
            { choice(&text, "job.precision", "precision", job.precision, precision) }
            { choice(&text, "job.optimizer", "optimizer", job.optimizer, optimizer) }
        </Section>
    }
}

/// What only a job with adapters has.
fn adapter(text: &Text, adapter: Adapter, on_edit: &Callback<Command>) -> Html {
    let base = on_edit.reform(Command::AdapterBase);
    let dora = on_edit.reform(Command::Dora);
    html! {
        <>
            { whole(text, "job.adapter.rank", adapter.rank, on_edit, Command::AdapterRank) }
            { choice(text, "job.adapter.base", "base", adapter.base, base) }
            <Switch
                id="job.adapter.dora"
                label={label(text, "job.adapter.dora")}
                on={adapter.dora}
                on_toggle={dora}
            />
        </>
    }
}
