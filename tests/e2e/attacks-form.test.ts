/** Attacks on the forms of a payment page: never a 500, and nothing changes. */
import assert from "node:assert/strict";
import { expiredLink } from "#tests/support/link-states.ts";
import { sendRaw } from "#tests/support/raw-http.ts";
import { type Fields, newAddress, plainForm, type Stranger, scriptedForm } from "#tests/support/stranger.ts";
import { test as base } from "./fixtures.ts";

const UNKNOWN = "1111111111111111111111";

interface Attack {
  readonly refid: string;
  readonly other: string;
  readonly origin: string;
  /** Fields of a choice that the page offers. */
  choice(fields?: Fields): Fields;
  /** As a browser posts them. With `action` null, the form names no action. */
  form(fields: Fields, action?: string | null): FormData;
  /** Posts to the page of `refid`, unless another path is given. */
  post(
    body: RequestInit["body"],
    headers?: Record<string, string>,
    path?: string,
  ): ReturnType<Stranger["post"]>;
}

const test = base.extend<{ attack: Attack }>({
  attack: async ({ shop, stranger }, use) => {
    const [{ refid }, { refid: other }] = [await shop.createLink(), await shop.createLink()];
    await use({
      ...{ refid, other, origin: new URL(shop.pageUrl).origin },
      choice: (fields = {}) => ({ refid, pair: "bep20:usdt", ...fields }),
      form: (fields, action = stranger.actions.chooseNetwork ?? "") => plainForm(fields, action),
      post: (body, headers = {}, path = `/pay/${refid}`) => stranger.post(path, body, headers),
    });
  },
});

test.describe("a form of the page", () => {
  test("with anything but a choice that its own link offers changes nothing", async ({
    shop,
    stranger,
    attack: { refid, other, choice, form, post },
  }) => {
    await stranger.harmless(async () => {
      const notFound: Record<string, Fields> = {
        "an unknown link": choice({ refid: UNKNOWN }),
        "another link than the page's": choice({ refid: other }),
        "no link": { pair: "bep20:usdt" },
        "no pair": { refid },
        "a pair too long": choice({ pair: "x".repeat(41) }),
        "SQL for a link": choice({ refid: "' or 1=1 --" }),
        "a language too long": choice({ lang: "x".repeat(41) }),
        "a prototype": { __proto__: refid, constructor: "x", pair: "bep20:usdt" } as Fields,
      };
      for (const [name, fields] of Object.entries(notFound)) {
        assert.equal((await post(form(fields))).status, 404, name);
      }
      const page = `/pay/${refid}?notice=not_offered`;
      for (const pair of [
        "bitcoin:btc",
        "bep20:btc",
        "__proto__:usdt",
        "bep20",
        "",
        "bep20:usdt\0",
        "BEP20:USDT",
      ]) {
        const { status, location } = await post(form(choice({ pair })));
        assert.deepEqual([status, location], [303, page], pair);
      }
      for (const lang of ["//evil.example", "en\r\nset-cookie: a=b", "__proto__"]) {
        assert.equal((await post(form(choice({ pair: "bitcoin:btc", lang })))).location, page, lang);
      }
    });
    const ending = await expiredLink(shop);
    await stranger.harmless(async () => {
      const late = await post(form(choice({ refid: ending })), {}, `/pay/${ending}`);
      assert.deepEqual([late.status, late.location], [303, `/pay/${ending}`]);
    });
  });

  test("of the sandbox is not found where the sandbox is off", async ({
    stranger,
    attack: { refid, form, post },
  }) => {
    await stranger.harmless(async () => {
      const play = { refid, scenario: "exact", network: "bep20", token: "usdt" };
      assert.equal((await post(form(play, stranger.actions.playScenario))).status, 404);
      const byScript = await post(scriptedForm(play), { "next-action": stranger.actions.playScenario ?? "" });
      assert.equal(byScript.status, 404);
    });
  });

  test("from another site, or without an origin, is refused", async ({
    stranger,
    attack: { origin, choice, form, post },
  }) => {
    await stranger.harmless(async () => {
      const { host } = new URL(origin);
      for (const from of [
        "https://evil.example",
        "null",
        "http://localhost",
        `http://${host}.evil.example`,
        `http://evil.example@${host}`,
        `${origin}/`,
        `${origin}, https://evil.example`,
        "",
      ]) {
        assert.equal((await post(form(choice()), { origin: from })).status, 403, from);
        const byScript = { origin: from, "next-action": stranger.actions.chooseNetwork ?? "" };
        assert.equal((await post(scriptedForm(choice()), byScript)).status, 403, from);
      }
      // No proxy header and no header of the visitor makes a foreign origin ours.
      const spoofed = { origin: "https://evil.example", "x-forwarded-host": "evil.example" };
      assert.equal((await post(form(choice()), { ...spoofed, "x-forwarded-proto": "https" })).status, 403);
      for (const site of ["cross-site", "same-site"]) {
        assert.equal((await post(form(choice()), { "sec-fetch-site": site })).status, 403, site);
      }
    });
  });

  test("is refused unread if it is not a form, names no action or hides other content", async ({
    stranger,
    attack: { refid, choice, form, post },
  }) => {
    const id = stranger.actions.chooseNetwork ?? "";
    const byScript = { "next-action": id };
    await stranger.harmless(async () => {
      const file = new Blob([refid]);
      const malformed: [string, RequestInit["body"], Record<string, string>?][] = [
        ["no action", form(choice(), null)],
        ["an unknown action", form(choice(), "__proto__")],
        ["two actions", form({ ...choice(), [`$ACTION_ID_${stranger.actions.playScenario}`]: "" })],
        ["a bound action", form({ $ACTION_REF_1: "", "$ACTION_1:0": `{"id":"${id}","bound":"$@1"}` }, null)],
        ["a file", form({ pair: "bep20:usdt", refid: file })],
        [
          "fields without end",
          form(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, "x"]))),
        ],
        ["a script's unknown action", scriptedForm(choice()), { "next-action": "constructor" }],
        ["another argument", scriptedForm(choice(), '["x"]'), byScript],
        ["no argument", scriptedForm(choice(), "[]"), byScript],
        ["a prototype", scriptedForm(choice(), '["$K__proto__"]'), byScript],
        ["a promise of its own making", scriptedForm(choice(), '{"then":"$1:__proto__:then"}'), byScript],
        ["references in a circle", form({ "0": '["$@1"]', "1": '["$@0"]' }, null), byScript],
        ["the form's fields next to the argument", form({ "0": '["$K1"]', ...choice() }, null), byScript],
      ];
      for (const [name, body, headers] of malformed)
        assert.equal((await post(body, headers)).status, 400, name);
      const multipart = { "content-type": "multipart/form-data; boundary=b" };
      for (const text of [
        "",
        "x",
        "--b\r\nfoo",
        "--b--",
        `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n`,
      ]) {
        assert.equal((await post(text, multipart)).status, 400, text);
      }
      for (const type of [
        "multipart/form-data",
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
      ]) {
        assert.equal((await post('["x"]', { "content-type": type, ...byScript })).status, 415, type);
      }
      // Also while it is still being sent.
      for (const length of [20_000, 2_000_000]) {
        assert.equal((await post(form(choice({ lang: "x".repeat(length) })))).status, 413);
      }
      // An action of an older build: the answer makes its script reload the page.
      assert.equal((await post(form(choice(), `40${"0".repeat(40)}`))).status, 409);
    });
  });

  test("is refused before it arrives if it is too large, whatever length it declares", async ({
    stranger,
    attack: { refid, origin },
  }) => {
    await stranger.harmless(async () => {
      const head = `POST /pay/${refid} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
      const announced = await sendRaw(origin, `${head}Content-Length: 999999999\r\n\r\n--b`);
      assert.equal(announced.status, 413);
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
      const dripped = await sendRaw(origin, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
      assert.equal(dripped.status, 413);
    });
  });

  test("is accepted at a link's page only", async ({
    shop,
    stranger,
    attack: { refid, origin, choice, form, post },
  }) => {
    await stranger.harmless(async () => {
      for (const path of [
        `/pay/${refid}/version`,
        `/pay/${refid}/preview.png`,
        "/",
        "/nowhere",
        "/checkout.js",
      ]) {
        assert.equal((await post(form(choice()), {}, path)).status, 405, path);
      }
      assert.equal((await post(form(choice()), {}, `/pay/${UNKNOWN}`)).status, 404);
      for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"]) {
        const { status, head } = await sendRaw(
          origin,
          `${method} /pay/${refid} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
        assert.equal(status, 405, method);
        assert.match(head, /allow: GET, HEAD, POST/i, method);
      }
      const override = { "x-http-method-override": "POST", "x-http-method": "POST", "next-action": "x" };
      const got = await fetch(`${shop.pageUrl}/${refid}?_method=POST&pair=bep20:usdt`, {
        headers: override,
      });
      assert.equal(got.status, 200);
    });
  });
});

test("the notice that a wallet has paid changes nothing, and only our page can send it", async ({
  stranger,
  attack: { refid, origin, post },
}) => {
  await stranger.harmless(async () => {
    const path = `/pay/${refid}/sent`;
    const known = `${path}?pair=bep20:usdt`;
    const other = { origin: "https://evil.example" };
    const unknownLink = `/pay/${UNKNOWN}/sent?pair=bep20:usdt`;
    // The network of a link that nobody has chosen, and a link that does not exist: nothing is looked at.
    for (const one of [known, unknownLink]) assert.equal((await post(null, { origin }, one)).status, 204);
    assert.equal((await post(null, other, known)).status, 403);
    assert.equal((await post(null, { origin: "null" }, known)).status, 403);
    assert.equal((await post(null, {}, "/pay/x/sent?pair=bep20:usdt")).status, 404);
    for (const query of ["", "?pair=", "?pair=bep20:nothing", "?pair=%27"])
      assert.equal((await post(null, {}, path + query)).status, 404, query);
    for (const method of ["GET", "HEAD", "PUT"])
      assert.equal((await fetch(origin + known, { method })).status, 405, method);
  });
});

test.describe("addresses that visitors allocate", () => {
  test("a hundred concurrent choices allocate one address per network", async ({
    shop,
    stranger,
    attack: { choice, form, post },
  }) => {
    const link = await shop.createLink();
    const path = `/pay/${link.refid}`;
    const count = async () =>
      (await shop.db.database.pool.query("select count(*)::int as n from addresses")).rows[0].n as number;
    const known = await count();
    const chosen = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const fields = choice({ refid: link.refid, ...(i % 4 === 0 && { pair: "trc20:usdt" }) });
        const byScript = { "next-action": stranger.actions.chooseNetwork ?? "" };
        return i % 2 === 0 ? post(form(fields), {}, path) : post(scriptedForm(fields), byScript, path);
      }),
    );
    assert.deepEqual([...new Set(chosen.map(({ status }) => status))].sort(), [200, 303]);
    assert.equal(await count(), known + 2);
    assert.equal((await shop.getLink(link.refid)).state, "awaiting");
  });

  test("the 31st of one client address within ten minutes is refused with a text, whatever its headers say", async ({
    shop,
    stranger,
    attack: { origin, choice, form, post },
  }) => {
    const links = await Promise.all(Array.from({ length: 34 }, () => shop.createLink()));
    const choose = ({ refid: id }: { refid: string }, forwarded: string) =>
      post(form(choice({ refid: id })), { "x-forwarded-for": forwarded }, `/pay/${id}`);
    const first = await Promise.all(
      links.slice(0, 30).map((link, i) => choose(link, `10.9.${i}.1, ${stranger.address}`)),
    );
    assert.ok(first.every(({ location }) => location?.endsWith("?network=bep20&token=usdt")));
    await stranger.harmless(async () => {
      for (const forwarded of [
        stranger.address,
        `203.0.113.9, ${stranger.address}`,
        `127.0.0.1, ${stranger.address}`,
        `::ffff:${stranger.address}`,
      ]) {
        const link = links[30];
        assert.ok(link);
        const { location } = await choose(link, forwarded);
        assert.equal(location, `/pay/${link.refid}?notice=too_many_addresses`, forwarded);
        const page = await (await fetch(`${origin}${location}`)).text();
        assert.match(page, /Too many/);
      }
    });
    const [elsewhere] = links.slice(33);
    assert.ok(elsewhere);
    assert.match((await choose(elsewhere, newAddress())).location ?? "", /network=bep20/);
  });
});
