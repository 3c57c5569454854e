use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::Quantity;
pub(super) fn of(_: &Fields, _: &Quantity, _: &Models) -> Option<Result<Got, Inexpressible>> {
    None
}
