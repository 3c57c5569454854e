use super::*;

#[test]
fn a_gib_is_not_a_gb() {
    assert_eq!(Bytes::gib(1.0).as_gb().to_string(), "1.073741824");
}

#[test]
fn a_port_of_200_gbps_moves_25_gb_s() {
    assert_eq!(BitsPerSecond::gbps(200.0).bytes(), BytesPerSecond::gb_s(25.0));
}

#[test]
fn a_transfer_at_rate_zero_never_ends() {
    assert_eq!(Bytes::gib(1.0).over(BytesPerSecond::ZERO), Seconds::NEVER);
    assert_eq!(Bytes::ZERO.over(BytesPerSecond::ZERO), Seconds::ZERO);
}
