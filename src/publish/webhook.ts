/**
 * Sends one message to a chat's webhook.
 * @param name the environment variable that holds the address; it stands in for the address, which is a secret, in what is said
 * @returns what went wrong, in one sentence; undefined when it was taken
 */
export async function sendWebhook(
  send: typeof fetch,
  name: string,
  address: string | undefined,
  payload: object,
): Promise<string | undefined> {
  if (!address) return `The webhook in ${name} was not told: the variable is not set.`;
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return `The webhook in ${name} was not told: it is no web address.`;
  try {
    const response = await send(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
      // Somewhere else than it was made for is no place to send news to.
      redirect: "error",
      signal: AbortSignal.timeout(15_000),
    });
    return response.ok ? undefined : `The webhook in ${name} answered ${response.status}; the next run tries again.`;
  } catch {
    return `The webhook in ${name} could not be reached; the next run tries again.`;
  }
}
