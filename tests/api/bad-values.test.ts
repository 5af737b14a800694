/** Every field of every operation with values that no client should send. */
import { randomInt } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { asForm, example, openAttacker, SOURCES, short, TEXTS } from "./attacker.ts";

const attacker = await openAttacker();

for (const operation of attacker.operations.filter(({ hasBody }) => hasBody)) {
  const { id } = operation;
  const { headers, post, fieldNames } = attacker.requestsOf(operation);
  const jsonHeaders = { ...headers, "content-type": "application/json" };

  /** The example with one field replaced by a JSON source. */
  const withSource = (name: string, source: string) => {
    const rest = Object.entries(example(operation)).filter(([other]) => other !== name);
    const members = [
      ...rest.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`),
      `"${name}":${source}`,
    ];
    return {
      what: `json ${id} ${name}: ${short(source)}`,
      request: { ...post, headers: jsonHeaders, body: `{${members.join(",")}}` },
    };
  };

  test(`${id}: refuses absent fields`, () =>
    attacker.drive(
      id,
      operation.required.map((name) => {
        const { [name]: _, ...rest } = example(operation);
        return { what: `${id} without ${name}`, request: { ...post, json: rest }, status: 400, says: name };
      }),
    ));

  test(`${id}: refuses bad values in JSON`, () =>
    attacker.drive(
      id,
      fieldNames.flatMap((name) =>
        [...TEXTS.map((text) => JSON.stringify(text)), ...SOURCES].map((source) => withSource(name, source)),
      ),
    ));

  // The text of a form field reaches the schema as that of a JSON string does, so each text is in one field of the form.
  test(`${id}: refuses bad values in a form`, () =>
    attacker.drive(
      id,
      TEXTS.flatMap((value, index) => {
        const name = fieldNames[index % fieldNames.length];
        if (name === undefined) return [];
        const form = asForm({ ...example(operation), [name]: value });
        return [{ what: `form ${id} ${name}=${short(value)}`, request: { ...post, form } }];
      }),
    ));

  if (fieldNames.length === 0) continue;

  test(`${id}: accepts or refuses any JSON in any field`, () => {
    const any = fc.tuple(fc.constantFrom(...fieldNames), fc.jsonValue());
    const seed = randomInt(2 ** 31);
    return attacker.drive(
      id,
      fc.sample(any, { numRuns: 40, seed }).map(([name, value]) => {
        const { what, request } = withSource(name, JSON.stringify(value));
        return { what: `${what} (seed ${seed})`, request };
      }),
    );
  });
}

attacker.testThatNothingWasWritten(3_000);
