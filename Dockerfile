# One image for both roles: `docker build -t paylink .`, then ROLES says which it is. What is installed is what
# package-lock.json names. The database is another container (compose.yaml): a container's own files go with it.
FROM node:24-bookworm-slim AS build
WORKDIR /srv/paylink
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Development dependencies build the page and the client; the program runs without them.
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /srv/paylink
COPY --from=build --chown=node:node /srv/paylink ./
USER node
EXPOSE 3000
# Signals reach the program itself, which ends within ten seconds, and DRAIN_SECONDS if that is set.
CMD ["node", "lib/server/main.ts"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPERATIONS_PORT || process.env.PORT || 3000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
