// What a release was made of, as an in-toto statement with SLSA provenance (unsigned).
import { join } from 'node:path'
import { root, runNpm } from '../bootstrap.mjs'
import { hashFile, run } from './run.mjs'

/** What is not committed, one line each. Ignored files do not count. */
export const listChanges = (folder) =>
  run('git', ['status', '--porcelain'], { cwd: folder }).split('\n').filter(Boolean)

/** The commit that is checked out; `date` in UTC, `seconds` since 1970. */
export function readCommit(folder) {
  const [hash, tree, seconds] = run('git', ['log', '-1', '--format=%H %T %ct'], { cwd: folder }).split(' ')
  return { hash, tree, seconds: Number(seconds), date: new Date(Number(seconds) * 1000).toISOString() }
}

export function describeProvenance(commit, target, names) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: names.map((name) => ({ name, digest: { sha256: hashFile(join(target, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { commit: commit.hash },
        internalParameters: {
          node: process.version,
          npm: runNpm(['--version'], { encoding: 'utf8' }).stdout.trim(),
          platform: `${process.platform}-${process.arch}`,
        },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit.hash, gitTree: commit.tree } },
          { name: 'package-lock.json', digest: { sha256: hashFile(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: 'bin/release.mjs' },
        metadata: { startedOn: new Date().toISOString() },
      },
    },
  }
}
