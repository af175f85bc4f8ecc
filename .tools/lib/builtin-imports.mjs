// Turns the imports of Node's own modules in a bundle into reads through `process.getBuiltinModule`. An ES import of such a
// module costs a host milliseconds: Node then makes a binding for every export and runs every getter among them, which loads
// what `node:fs` keeps for later (streams, promises).

const everything = /^import\s*\*\s*as\s*([\w$]+)\s*from\s*"(node:[\w/]+)";/gm
const named = /^import\s*\{([^}]*)\}\s*from\s*"(node:[\w/]+)";/gm

/** Each stays where esbuild put it, at the head of the module that needs it: whatever uses the names comes after. */
export function withoutBuiltinImports(text) {
  const rewritten = text
    .replace(everything, 'const $1 = process.getBuiltinModule("$2");')
    .replace(named, (_, names, module) => {
      return `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${module}");`
    })
  const left = /^import.*"node:.*$/m.exec(rewritten)
  if (left) throw new Error(`an import of Node's own in a form that is not known here: ${left[0]}`)
  return rewritten
}
