//! A next turn of the event loop without the 4 ms that nested timers wait: a message to
//! ourselves.

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::MessageChannel;

pub(super) struct Turn {
    /// None where there are no channels; then turns do not come, and the page's alarm acts.
    channel: Option<MessageChannel>,
}

impl Turn {
    /// `act` runs once for each [`Turn::ask`].
    pub(super) fn new(act: impl Fn(&Self) + 'static) -> Self {
        let Ok(channel) = MessageChannel::new() else { return Self { channel: None } };
        let again = Self { channel: Some(channel.clone()) };
        EventListener::new(&channel.port1(), "message", move |_| act(&again)).forget();
        channel.port1().start();
        Self { channel: Some(channel) }
    }

    pub(super) fn ask(&self) {
        if let Some(channel) = &self.channel {
            let sent = channel.port2().post_message(&JsValue::NULL);
            debug_assert!(sent.is_ok(), "null can be posted");
        }
    }
}
