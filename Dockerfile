# One image for both roles: `docker build -t paylink .`. ROLES selects the role. npm installs exactly the packages of
# package-lock.json. The database is another container (compose.yaml), because a removed container loses its own files.
# BASE can name another image with Node 24, npm and a user "node": `--build-arg BASE=…`.
ARG BASE=node:24-bookworm-slim
FROM ${BASE} AS build
WORKDIR /srv/paylink
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/widget/package.json packages/widget/
RUN npm ci
COPY . .
# Development dependencies build the page and the packages; the program runs without them.
RUN npm run build && npm prune --omit=dev

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /srv/paylink
COPY --from=build --chown=node:node /srv/paylink ./
USER node
EXPOSE 3000
# Without a shell, so that signals reach the program. It stops within ten seconds plus DRAIN_SECONDS.
CMD ["node", "lib/server/main.ts"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPERATIONS_PORT || process.env.PORT || 3000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
