import { listParts, NETWORK_VARIABLES, PLACES, variableName } from "./network-variables.ts";
import { PROGRAM_VARIABLES } from "./program-variables.ts";
import { SURROUNDING_VARIABLES } from "./surrounding-variables.ts";
import type { Reader, Variable } from "./variable.ts";

/** The variables that web, worker, command and signer read, by their whole names. */
const READ: readonly (readonly [string, Pick<Variable, "readers">])[] = [
  ...Object.entries<Variable>(PROGRAM_VARIABLES),
  ...PLACES.flatMap((place) =>
    listParts(place).flatMap((part) => {
      const variable = NETWORK_VARIABLES[part];
      return variable === undefined ? [] : [[variableName(place, part), variable] as const];
    }),
  ),
];

export const READ_NAMES: readonly string[] = READ.map(([name]) => name);

/** Every variable that Paylink has. */
export const VARIABLE_NAMES: readonly string[] = [...READ_NAMES, ...Object.keys(SURROUNDING_VARIABLES)];

/** The variables of the server and the command that this program reads too. */
export function listVariablesOf(reader: Reader): readonly string[] {
  return READ.flatMap(([name, { readers }]) => (readers.includes(reader) ? [name] : []));
}
