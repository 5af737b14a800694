/** The files of a PostgreSQL that fails over, as docs/operate/database.md shows them, for one machine. */

/** Programs that listen: etcd on the address of this machine, HAProxy and PgBouncer on 127.0.0.1. */
export interface Ports {
  readonly address: string;
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly primary: number;
  readonly replicas: number;
  readonly pgbouncer: number;
  readonly nodes: readonly NodePorts[];
}

export interface NodePorts {
  readonly name: string;
  readonly address: string;
  readonly postgres: number;
  readonly rest: number;
}

export interface Passwords {
  readonly superuser: string;
  readonly replication: string;
}

/** Patroni's own limits are the smallest: a dead primary is replaced after `ttl` seconds. */
const TIMES = { ttl: 20, loop_wait: 1, retry_timeout: 3 } as const;

/** The mount point of a node's disk below its folder, and PostgreSQL's files there. */
export const diskOf = (folder: string) => `${folder}/disk`;
export const dataOf = (folder: string) => `${diskOf(folder)}/data`;

/** The configuration of one node's Patroni. JSON is YAML. */
export function patroniFile(
  node: NodePorts,
  { ports, range, passwords, folder, programs }: ClusterFiles,
): string {
  const own = `${folder}/${node.name}`;
  return JSON.stringify({
    scope: "paylink",
    name: node.name,
    restapi: { listen: `${node.address}:${node.rest}`, connect_address: `${node.address}:${node.rest}` },
    etcd3: { hosts: `${ports.address}:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        // A primary whose PostgreSQL ends is replaced instead of started again.
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            ...{ wal_log_hints: "on", max_connections: 150, fsync: "off" },
            // A disk of the tests is small.
            ...{ max_wal_size: "128MB", min_wal_size: "32MB" },
          },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "no-sync"],
    },
    postgresql: {
      listen: `${node.address}:${node.postgres}`,
      connect_address: `${node.address}:${node.postgres}`,
      data_dir: dataOf(own),
      bin_dir: programs,
      pgpass: `${own}/pgpass`,
      authentication: {
        superuser: { username: "postgres", password: passwords.superuser },
        replication: { username: "replicator", password: passwords.replication },
      },
      parameters: {
        unix_socket_directories: "",
        shared_buffers: "64MB",
        // The manual sets it on the role.
        idle_in_transaction_session_timeout: "30s",
      },
      pg_hba: [`host all all ${range} scram-sha-256`, `host replication replicator ${range} scram-sha-256`],
    },
  });
}

export interface ClusterFiles {
  readonly ports: Ports;
  /** The addresses of all nodes. */
  readonly range: string;
  readonly passwords: Passwords;
  readonly folder: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
}

/** HAProxy with one port for the primary and one for the replicas, by what Patroni answers. */
export function haproxyFile({ primary, replicas, nodes }: Ports): string {
  const listen = (name: string, port: number) =>
    [
      `listen ${name}`,
      `  bind 127.0.0.1:${port}`,
      `  option httpchk OPTIONS /${name}`,
      "  http-check expect status 200",
      "  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions",
      ...nodes.map(
        (node) => `  server ${node.name} ${node.address}:${node.postgres} check port ${node.rest}`,
      ),
    ].join("\n");
  return [
    "global\n  maxconn 1000",
    "defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1d\n  timeout server 1d\n  timeout check 1s\n  option clitcpka\n  option srvtcpka",
    listen("primary", primary),
    listen("replica", replicas),
    "",
  ].join("\n");
}

/**
 * PgBouncer in transaction mode before HAProxy's port of the primary. Its database "standby" is at the port of the replicas. A connection to
 * a standby ends itself.
 */
export function pgbouncerFile({ ports, folder }: ClusterFiles): string {
  const onConnect = "select pg_terminate_backend(pg_backend_pid()) where pg_is_in_recovery()";
  return `[databases]
standby = host=127.0.0.1 port=${ports.replicas} dbname=postgres connect_query='${onConnect}'
* = host=127.0.0.1 port=${ports.primary} connect_query='${onConnect}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pgbouncer}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
max_prepared_statements = 200
max_client_conn = 1000
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 5
query_wait_timeout = 10
logfile = ${folder}/pgbouncer.log
`;
}
