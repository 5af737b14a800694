-- Once, as a superuser: a role that owns the tables, for `paylink migrate` alone, and one that the program runs as, which
-- gets its rights from `paylink migrate --grant paylink_app`. compose.yaml runs it in its database; by hand:
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=ON_ERROR_STOP=1 --file=lib/platform/db/roles.sql "postgres://postgres@host/postgres"
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
create role paylink_owner login password :'owner_password';
create role paylink_app login password :'app_password';
create database paylink owner paylink_owner;
