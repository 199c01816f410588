/** What a run may spend and has spent. */
export interface Budget {
  requests: { graphql: number; rest: number; git: number; registry: number };
  max: number | undefined;
  /** What GitHub says is left of the hour, as far as it has said. */
  left: { graphql?: number; rest?: number };
}

export const newBudget = (max?: number): Budget => ({ requests: { graphql: 0, rest: 0, git: 0, registry: 0 }, max, left: {} });
export const spent = ({ requests }: Budget): number => requests.graphql + requests.rest + requests.git + requests.registry;
