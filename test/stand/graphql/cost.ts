import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type { GraphQLCompositeType, GraphQLNamedType, ValueNode } from "graphql";

/**
 * GitHub's documented price of a query: one request for every connection that is fetched, multiplied by the page sizes
 * around it, divided by 100 and rounded, at least 1; and one node for every object those pages can hold.
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export type Price = { cost: number; nodes: number; errors: { type: string; message: string; path: string[] }[] };

const NODE_LIMIT = 500_000;

export function priceOf(schema: GraphQLSchema, document: DocumentNode, variables: Record<string, unknown>): Price {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const errors: Price["errors"] = [];
  let [requests, nodes] = [0, 0];

  const numberOf = (node: ValueNode | undefined): number | undefined => {
    if (node?.kind === Kind.INT) return Number(node.value);
    const given = node?.kind === Kind.VARIABLE ? variables[node.name.value] : undefined;
    return typeof given === "number" ? given : undefined;
  };

  const walk = (type: GraphQLNamedType | undefined, set: SelectionSetNode, times: number, path: string[]): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment) walk(schema.getType(fragment.typeCondition.name.value), fragment.selectionSet, times, path);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const inner = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : type;
        walk(inner, selection.selectionSet, times, path);
      } else if (selection.selectionSet && type && "getFields" in type) {
        const fields = (type as GraphQLCompositeType & { getFields(): Record<string, { type: unknown }> }).getFields();
        const field = fields[selection.name.value];
        const inner = field && getNamedType(field.type as GraphQLNamedType);
        const here = [...path, selection.alias?.value ?? selection.name.value];
        if (!inner?.name.endsWith("Connection") || !isObjectType(inner)) {
          walk(inner, selection.selectionSet, times, here);
          continue;
        }
        const argument = (name: string) => numberOf(selection.arguments?.find((candidate) => candidate.name.value === name)?.value);
        const size = argument("first") ?? argument("last");
        const asksForPage = selection.selectionSet.selections.some(
          (child) => child.kind === Kind.FIELD && ["nodes", "edges", "pageInfo"].includes(child.name.value),
        );
        if (size === undefined && asksForPage) {
          const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${selection.name.value}\` connection.`;
          errors.push({ type: "MISSING_PAGINATION_BOUNDARIES", message, path: here });
        } else if (size !== undefined && (size < 1 || size > 100)) {
          const message = `Requesting ${size} records on the \`${selection.name.value}\` connection exceeds the \`first\` limit of 100 records.`;
          errors.push({ type: "EXCESSIVE_PAGINATION", message, path: here });
        }
        const page = Math.min(100, size ?? 0);
        requests += times;
        nodes += times * page;
        walk(inner, selection.selectionSet, times * page, here);
      }
    }
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = definition.operation === "mutation" ? schema.getMutationType() : schema.getQueryType();
    walk(root ?? undefined, definition.selectionSet, 1, [definition.operation]);
  }
  if (nodes > NODE_LIMIT) {
    const message = `This query requests up to ${nodes} possible nodes which exceeds the maximum limit of ${NODE_LIMIT}.`;
    errors.push({ type: "MAX_NODE_LIMIT_EXCEEDED", message, path: [] });
  }
  return { cost: Math.max(1, Math.round(requests / 100)), nodes, errors };
}
