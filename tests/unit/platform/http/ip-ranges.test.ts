import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress } from "#lib/platform/http/ip-ranges.ts";

/** The first and last addresses of closed ranges, and their neighbors that are public. */
const CLOSED = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
  ...["127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
  ...["172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.2.1", "192.88.99.1"],
  ...["192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.9"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "100.100.100.200", "168.63.129.16"],
];
const OPEN = [
  ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0"],
  ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "8.8.8.8"],
];

for (const address of CLOSED) {
  test(`rejects ${address}, also written as IPv6`, () => {
    assert.equal(isPublicAddress(address), false);
    for (const spelling of spellings(address)) assert.equal(isPublicAddress(spelling), false, spelling);
  });
}

for (const address of OPEN) {
  test(`accepts ${address}, also mapped and over NAT64`, () => {
    assert.equal(isPublicAddress(address), true);
    for (const spelling of spellings(address)) assert.equal(isPublicAddress(spelling), true, spelling);
  });
}

/** The address in IPv6: mapped and over NAT64, each with dots and in hexadecimal digits. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${hex}`,
    `0:0:0:0:0:FFFF:${hex}`,
    `64:ff9b::${address}`,
    `64:ff9b::${hex}`,
  ];
}

for (const [what, address] of [
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["IPv4-compatible", "::127.0.0.1"],
  ["IPv4-compatible of a public one", "::8.8.8.8"],
  ["IPv4-translated (RFC 2765)", "::ffff:0:127.0.0.1"],
  ["local NAT64", "64:ff9b:1::a00:1"],
  ["discard", "100::1"],
  ["Teredo", "2001:0:7f00:1::1"],
  ["benchmarking", "2001:2::1"],
  ["documentation", "2001:db8::1"],
  ["6to4 of 127.0.0.1", "2002:7f00:1::1"],
  ["6to4 of a public address", "2002:808:808::1"],
  ["documentation, the newer", "3fff::1"],
  ["segment routing", "5f00::1"],
  ["unique local", "fc00::1"],
  ["unique local, AWS metadata", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%lo"],
  ["public with a zone", "2606:4700::1111%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["outside the allocated range", "4000::1"],
] as const) {
  test(`rejects IPv6 ${what}`, () => assert.equal(isPublicAddress(address), false));
}

test("accepts global IPv6 addresses", () => {
  for (const address of [
    "2606:4700:4700::1111",
    "2a00:1450:4001::200e",
    "2001:200::1",
    "2001:4860:4860::8888",
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test("rejects texts that are not an address", () => {
  for (const text of [
    "",
    "localhost",
    "8.8.8.8:80",
    "8.8.8.8/32",
    "08.8.8.8",
    "0x08080808",
    "134744072",
    "8.8",
  ]) {
    assert.equal(isPublicAddress(text), false, text);
  }
});
