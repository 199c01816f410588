type Env = Readonly<Record<string, string | undefined>>;

/**
 * Says when a proxy is named and would be ignored: Node's fetch honours the variables only when it is told to (C22).
 * @param execArgv options this Node was started with
 */
export function proxyProblem(env: Env, execArgv: readonly string[]): string | undefined {
  const name = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].find((key) => env[key]);
  if (name === undefined) return undefined;
  const told = env.NODE_USE_ENV_PROXY === "1" || /--use-env-proxy/.test(`${execArgv.join(" ")} ${env.NODE_OPTIONS ?? ""}`);
  if (told) return undefined;
  return `${name} is set, but Node ignores it unless NODE_USE_ENV_PROXY=1 is set too. Set it, or requests go out directly.`;
}
