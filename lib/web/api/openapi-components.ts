import { isJsonObject } from "#lib/platform/json-text.ts";

type Json = Record<string, unknown>;
type Schemas = Record<string, Json>;
interface Body {
  readonly content?: Readonly<Record<string, Json>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Schemas };
}

/**
 * Makes a component of every object that has none, in place. A generator of clients makes a class of each component. An
 * object without a name gets another one from each generator, and some make two classes of one name.
 * - The operation `createPaymentLink` has CreatePaymentLinkRequest and CreatePaymentLinkAnswer. Not …Response: some
 *   generators have classes of their own with these names.
 * - The event `payment_link_late` has PaymentLinkLateEvent.
 * - An object in a field has the name of its owner and its field, in a list the singular: CreatePaymentLinkRequestWallet.
 */
export function nameSchemas(document: object): void {
  const { paths, webhooks, components } = document as Document;
  const { schemas } = components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = nameFields(schemas, name, schema);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const name = pascal(operation.operationId);
    const { requestBody, responses } = operation;
    for (const content of Object.values(requestBody?.content ?? {}))
      nameContent(schemas, `${name}Request`, content);
    for (const content of Object.values(responses["200"]?.content ?? {}))
      nameContent(schemas, `${name}Answer`, content);
  }
  for (const [type, { post }] of Object.entries(webhooks)) {
    for (const content of Object.values(post.requestBody?.content ?? {}))
      nameContent(schemas, `${pascal(type)}Event`, content);
  }
}

function nameContent(schemas: Schemas, name: string, content: Json): void {
  content.schema = nameSchema(schemas, name, content.schema as Json);
}

/** A reference to the component that the schema becomes, or the schema itself if it is not an object with fields. */
function nameSchema(schemas: Schemas, name: string, schema: Json): Json {
  if (isJsonObject(schema.items))
    return { ...schema, items: nameSchema(schemas, singular(name), schema.items) };
  // A type that may be null stays where it is: most generators lose the null of a component.
  if (schema.type !== "object" || !isJsonObject(schema.properties)) return schema;
  const component = nameFields(schemas, name, schema);
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`The OpenAPI document has two schemas with the name ${name}`);
  schemas[name] = component;
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema with references for the objects in its fields. */
function nameFields(schemas: Schemas, owner: string, schema: Json): Json {
  if (!isJsonObject(schema.properties)) return schema;
  const fields = Object.entries(schema.properties as Record<string, Json>);
  const properties = fields.map(([field, child]) => [
    field,
    nameSchema(schemas, owner + pascal(field), child),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

const pascal = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const singular = (name: string) => name.replace(/([^s])s$/, "$1");
