// @ts-check
import { faultOfComment, featureOfFile, featureOfName, isContractOf } from './rules.mjs'

/**
 * Rules of this project for oxlint. `comments`: a comment begins with its subject. `contract-imports`: a file that uses
 * requests, parameters or lanes of another feature must import that feature's contract, as types, so that the
 * dependency is visible and breaks if the contract is removed.
 */
export default {
  meta: { name: 'rookery' },
  rules: {
    comments: {
      create: (/** @type {any} */ context) => ({
        Program() {
          for (const comment of context.sourceCode.getAllComments()) {
            const fault = faultOfComment(comment.value)
            if (fault !== null) context.report({ node: comment, message: `The comment ${fault}.` })
          }
        },
      }),
    },
    'contract-imports': {
      create(/** @type {any} */ context) {
        const own = featureOfFile(context.filename)
        if (own === null) return {}
        /** @type {string[]} */
        const sources = []
        /** @type {{ node: unknown, text: string, feature: string }[]} */
        const uses = []
        return {
          ImportDeclaration(/** @type {any} */ node) {
            sources.push(node.source.value)
          },
          ExportNamedDeclaration(/** @type {any} */ node) {
            if (node.source != null) sources.push(node.source.value)
          },
          Literal(/** @type {any} */ node) {
            const feature = featureOfName(node.value)
            if (feature !== null && feature !== own) uses.push({ node, text: node.value, feature })
          },
          'Program:exit'() {
            for (const { node, text, feature } of uses) {
              if (sources.some((source) => isContractOf(source, feature))) continue
              context.report({ node, message: `“${text}” is of ${feature}: import its contract.ts.` })
            }
          },
        }
      },
    },
  },
}
