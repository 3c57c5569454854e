//! What the job costs, platform by platform.
