//! The font of the figures: DejaVu Sans, embedded, so that no font needs to be installed.

use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

use super::FigureError;

/// The family under which the font is known to the drawing library. It is also what an SVG asks its viewer for: the
/// generic name, which every viewer has.
pub(super) const FAMILY: &str = "sans-serif";

/// Makes the font known to the drawing library; only the first call does anything.
pub(super) fn register() -> Result<(), FigureError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold()).is_ok()
    });
    if *registered { Ok(()) } else { Err(FigureError::Draw("the embedded font is damaged".to_owned())) }
}
