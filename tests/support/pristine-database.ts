import type pg from "pg";

/** The content of a new database. A database is like new again if its objects never changed and its rows are restored. */
export interface Pristine {
  /** Describes all tables, columns, triggers, functions, constraints and privileges. */
  readonly objects: string;
  /** JSON of the rows that the migrations made, by table. */
  readonly rows: string;
  /** JSON of the sequences with their next values. */
  readonly sequences: string;
}

/** Catalogs of what a test may change, with the column that is an oid of one of our objects. A changed row has another xmin. */
const CATALOGS = {
  pg_class: "oid",
  pg_attribute: "attrelid",
  pg_attrdef: "oid",
  pg_constraint: "oid",
  pg_index: "indexrelid",
  pg_trigger: "oid",
  pg_event_trigger: "oid",
  pg_proc: "oid",
  pg_type: "oid",
  pg_rewrite: "oid",
  pg_policy: "oid",
  pg_namespace: "oid",
  pg_extension: "oid",
  pg_default_acl: "oid",
};
const FIRST_OWN_OID = 16_384;

/**
 * The number of rows of each catalog and its newest change. Whatever a test adds or changes is newer, and what it drops is missing. The statistics
 * of a table that was analyzed change plans; its row in pg_class is updated in place.
 */
const OBJECTS = `select json_build_array(
    (select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()),
    (select md5(string_agg(reltuples::text, ' ' order by oid)) from pg_class where oid >= ${FIRST_OWN_OID}),
    ${Object.entries(CATALOGS)
      .map(
        ([catalog, oid]) =>
          `(select json_build_array(count(*), max(xmin::text::bigint)) from ${catalog} where ${oid} >= ${FIRST_OWN_OID})`,
      )
      .join(", ")})::text as objects`;

const TABLES = `select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;

/** Reads a database that nobody has used. */
export async function readPristine(client: pg.Client): Promise<Pristine> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  const rows: Record<string, string> = {};
  for (const { name } of tables) {
    const found = await client.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${name} t`,
    );
    if (found.rows[0]?.rows) rows[name] = found.rows[0].rows;
  }
  const { rows: sequences } = await client.query<{ name: string }>(
    "select c.oid::regclass as name from pg_class c where c.relkind = 'S'",
  );
  const values: Record<string, unknown> = {};
  for (const { name } of sequences)
    values[name] = (await client.query(`select last_value, is_called from ${name}`)).rows[0];
  const { rows: objects } = await client.query<{ objects: string }>(OBJECTS);
  return {
    objects: objects[0]!.objects,
    rows: JSON.stringify(rows),
    sequences: JSON.stringify(values),
  };
}

/** The tables that had a row at any time. To open the others would take longer than everything else. */
const USED_TABLES = `${TABLES} and (pg_stat_file('base/' || (select oid from pg_database where datname = current_database())
  || '/' || c.relfilenode, true)).size is distinct from 0`;

/** Without triggers and foreign keys: the ledger refuses to delete. */
const RESTORE = `do $$
  declare
    source record;
    made json := current_setting('pristine.rows')::json;
    filled boolean;
  begin
    set local session_replication_role = replica;
    for source in ${USED_TABLES} loop
      execute format('select exists (select from %s)', source.name) into filled;
      if filled then execute format('delete from %s', source.name); end if;
    end loop;
    for source in select * from json_each_text(made) loop
      execute format('insert into %1$s overriding system value select * from json_populate_recordset(null::%1$s, $1)', source.key)
        using source.value::json;
    end loop;
    perform setval(key::regclass, (value ->> 'last_value')::bigint, (value ->> 'is_called')::boolean)
      from json_each(current_setting('pristine.sequences')::json);
  end $$`;

/** Returns false, and restores nothing, if somebody uses the database or a test changed more than rows. */
export async function restorePristine(client: pg.Client, pristine: Pristine): Promise<boolean> {
  const { rows: others } = await client.query(
    "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  if (others.length > 0) return false;
  const { rows: found } = await client.query<{ objects: string }>(OBJECTS);
  if (found[0]!.objects !== pristine.objects) return false;
  await client.query(
    "select set_config('pristine.rows', $1, false), set_config('pristine.sequences', $2, false)",
    [pristine.rows, pristine.sequences],
  );
  await client.query(RESTORE);
  return true;
}
