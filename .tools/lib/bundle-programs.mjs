// Bundles programs of the checkout that use the package as a user does.

import { root } from './run.mjs'

/** `sources` below `folder` become `<outdir>/<name>.mjs`. */
export async function bundlePrograms(folder, sources, outdir) {
  const esbuild = await import('esbuild')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: sources.map((name) => `${folder}/${name}`),
    outdir,
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Packages stay outside, and so does this one: what is imported is what a user imports.
    packages: 'external',
    logLevel: 'warning'
  })
}
