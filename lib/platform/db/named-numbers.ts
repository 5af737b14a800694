import { type SQL, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";

/** Names in code for values that are numbers in the database and in the API's fields. `what` says in errors what the values are. */
export function nameNumbers<const Numbers extends Readonly<Record<string, number>>>(
  numbers: Numbers,
  what: string,
) {
  type Name = keyof Numbers & string;
  const names = Object.keys(numbers) as readonly Name[];
  const numberOf = (name: Name) => String(numbers[name]);
  const toNumber = <One extends Name>(name: One): Numbers[One] => numbers[name];
  const fromNumber = (number: number): Name => {
    const name = names.find((one) => numbers[one] === number);
    if (name === undefined) throw new Error(`${number} is not ${what}`);
    return name;
  };
  return {
    names,
    toNumber,
    /** Throws for a number without a name. */
    fromNumber,
    /** A value as a literal of SQL. Partial indexes need literals: their conditions are compared as texts. */
    literal: (name: Name): SQL => sql.raw(numberOf(name)),
    /** Values as a list of literals: "(0, 1, 5)". */
    literals: (some: readonly Name[]): SQL => sql.raw(`(${some.map(numberOf).join(", ")})`),
    column: customType<{ data: Name; driverData: number }>({
      dataType: () => "integer",
      toDriver: toNumber,
      fromDriver: fromNumber,
    }),
  };
}
