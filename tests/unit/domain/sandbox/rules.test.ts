import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openPayer } from "#lib/dev-chains/payers/open-payer.ts";
import type { Payer } from "#lib/dev-chains/payers/types.ts";
import { amountFor, choosePair, expectedOf, isPlayable, scenariosFor } from "#lib/domain/sandbox/rules.ts";
import { SCENARIOS } from "#lib/domain/sandbox/types.ts";
import type { LinkState } from "#lib/domain/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const before = (state: LinkState) => ({ state, expiresAt: new Date("2026-03-01T12:00:01Z") });

function payerOf(network: "bep20" | "bitcoin" | "trc20"): Payer {
  const config = {
    env: "test",
    network,
    rpcUrls: ["http://localhost:1"],
    accountKey: "",
    zmqUrl: null,
    chainId: null,
    contracts: {},
  } as const;
  const payer = openPayer(config, NETWORKS[network])?.payer;
  assert.ok(payer);
  return payer;
}

test("each family offers the scenarios that its chain supports", () => {
  const played = (network: "bep20" | "bitcoin" | "trc20") =>
    SCENARIOS.filter((scenario) => isPlayable(scenario, payerOf(network)));
  assert.deepEqual(played("bep20"), SCENARIOS);
  assert.deepEqual(
    played("bitcoin"),
    SCENARIOS.filter((scenario) => scenario !== "wrong_token"),
  );
  assert.deepEqual(
    played("trc20"),
    SCENARIOS.filter((scenario) => scenario !== "replaced"),
  );
});

test("an open link allows every scenario, a failed one only late payments, a paid one only extra ones", () => {
  const payer = payerOf("bep20");
  for (const state of ["open", "awaiting", "partial"] as const) {
    assert.deepEqual(scenariosFor(before(state), payer, NOW), SCENARIOS, state);
    assert.deepEqual(scenariosFor({ ...before(state), expiresAt: NOW }, payer, NOW), [], `${state}, over`);
  }
  for (const state of ["failed", "expired"] as const) {
    assert.deepEqual(scenariosFor(before(state), payer, NOW), ["late"], state);
  }
  for (const state of ["completed", "overpaid"] as const) {
    assert.deepEqual(scenariosFor({ ...before(state), expiresAt: NOW }, payer, NOW), ["extra"], state);
  }
  assert.deepEqual(scenariosFor(before("detected"), payer, NOW), []);
});

test("short is less than requested and still counts, over is more, both in the quote's unit", () => {
  const tokens = fc.constantFrom<TokenCode>("btc", "usdt");
  fc.assert(
    fc.property(
      tokens,
      fc.bigInt(1n, 10n ** 16n),
      fc.bigInt(0n, 10n ** 18n),
      (token, quoted, minimumReceive) => {
        const { ledgerDecimals, quoteDecimals } = TOKENS[token];
        const unit = 10n ** BigInt(ledgerDecimals - quoteDecimals);
        const asked = quoted * unit;
        const quote = { amount: asked, minimumReceive };
        const short = amountFor("short", quote, token);
        const over = amountFor("over", quote, token) ?? 0n;
        assert.equal(short === null, (quoted / 2n) * unit < minimumReceive);
        if (short !== null) assert.ok(short < asked && short >= minimumReceive && short % unit === 0n);
        assert.ok(over > asked && over % unit === 0n && over <= 2n * asked);
        assert.equal(amountFor("underpaid", quote, token), short);
        for (const scenario of [
          "exact",
          "late",
          "extra",
          "wrong_token",
          "replaced",
          "reorganised",
        ] as const) {
          assert.equal(amountFor(scenario, quote, token), asked);
        }
      },
    ),
  );
});

test("the pair is the newest picked one that fits, and an unpicked one only on request", () => {
  const btc = { network: "bitcoin", token: "btc" } as const;
  const trc20 = { network: "trc20", token: "usdt" } as const;
  const bep20 = { network: "bep20", token: "usdt" } as const;
  const link = { wallets: [trc20, btc], selectablePairs: [btc, trc20, bep20] };
  const choose = (network: string | null, token: string | null) => choosePair(link, { network, token });
  assert.deepEqual(choose(null, null), btc);
  assert.deepEqual(choose(null, "usdt"), trc20);
  assert.deepEqual(choose("bep20", null), bep20);
  assert.equal(choose("bep20", "btc"), null);
  assert.equal(
    choosePair({ wallets: [], selectablePairs: link.selectablePairs }, { network: null, token: null }),
    null,
  );
});

test("the expected event follows the link's state and the merchant's policy for late payments", () => {
  assert.deepEqual(expectedOf("reorganised", "open", "hold"), {
    state: "awaiting",
    event: "payment_link_reverted",
  });
  assert.equal(expectedOf("reorganised", "partial", "hold").state, "partial");
  const failed = { state: "failed", event: "payment_link_failed" };
  assert.deepEqual(expectedOf("underpaid", "partial", "accept"), failed);
  const extra = (state: LinkState) => expectedOf("extra", state, "hold");
  assert.deepEqual(extra("open"), { state: "completed", event: "payment_link_extra" });
  assert.deepEqual(extra("overpaid"), { state: "overpaid", event: "payment_link_extra" });
  const late = (state: LinkState) => expectedOf("late", state, "hold").state;
  assert.deepEqual((["open", "awaiting", "partial", "failed", "expired"] as const).map(late), [
    "expired",
    "expired",
    "failed",
    "failed",
    "expired",
  ]);
  assert.deepEqual(expectedOf("late", "awaiting", "accept"), {
    state: "completed",
    event: "payment_link_completed",
  });
});
