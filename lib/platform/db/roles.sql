-- Run once as a superuser. Creates a role that owns the tables, only for `paylink migrate`, and a role that the program
-- runs as. `paylink migrate --grant paylink_app` gives that role its privileges. compose.yaml runs this file. By hand:
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=ON_ERROR_STOP=1 --file=lib/platform/db/roles.sql "postgres://postgres@host/postgres"
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
create role paylink_owner login password :'owner_password';
create role paylink_app login password :'app_password';
create database paylink owner paylink_owner;
