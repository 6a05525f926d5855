// The context of a container image: the Dockerfile of a release and the npm package that it installs.
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../bootstrap.mjs'
import { run } from './run.mjs'

export function makeContainerContext({ target, archive, manifest, commit }) {
  const name = `${manifest.name}-${manifest.version}-container`
  const folder = join(target, name)
  fs.mkdirSync(folder)
  fs.copyFileSync(archive, join(folder, 'fordra.tgz'))
  fs.copyFileSync(join(root, 'deploy/release.Dockerfile'), join(folder, 'Dockerfile'))
  // The same commit gives the same bytes: fixed order, owner and time.
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${commit.seconds}`]
  run('tar', [...fixed, '-czf', join(target, `${name}.tgz`), '-C', target, basename(folder)])
  fs.rmSync(folder, { recursive: true })
}
