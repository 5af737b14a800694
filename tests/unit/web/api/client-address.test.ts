import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";

const PROXIES = ["10.0.0.0/8", "127.0.0.1", "2001:db8::/32"];

const cases: [what: string, socket: string, forwarded: string | string[] | null, expected: string][] = [
  ["a direct caller is the socket's", "203.0.113.7", null, "203.0.113.7"],
  ["a direct caller's header is not believed", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["a proxy's header is", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["the walk passes trusted hops only", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.2.3.4", "198.51.100.1"],
  ["all hops trusted: the leftmost", "127.0.0.1", "10.0.0.9, 10.0.0.8", "10.0.0.9"],
  ["a proxy that says nothing is the caller", "10.0.0.1", null, "10.0.0.1"],
  ["rubbish ends the walk", "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
  ["an empty header says nothing", "10.0.0.1", "", "10.0.0.1"],
  ["IPv4 written as IPv6 is IPv4", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  ["IPv6 proxies and callers", "2001:db8::1", "2a00::5", "2a00::5"],
  ["ports are cut off", "10.0.0.1", "198.51.100.1:443", "198.51.100.1"],
  ["ports of IPv6 too", "10.0.0.1", "[2a00::5]:443", "2a00::5"],
  ["several headers are one list", "10.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"],
];
for (const [what, socket, forwarded, expected] of cases) {
  test(what, () => assert.equal(resolveClientAddress(socket, forwarded, PROXIES), expected));
}

test("ignores the header without trusted proxies", () => {
  assert.equal(resolveClientAddress("127.0.0.1", "198.51.100.1", []), "127.0.0.1");
});

test("throws on a proxy list with a malformed entry", () => {
  for (const entry of ["proxy.example.com", "10.0.0.0/33", "10.0.0.0/x", ""]) {
    assert.throws(() => resolveClientAddress("10.0.0.1", null, [entry]), RangeError);
  }
});
