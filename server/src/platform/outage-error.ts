const outageCodes =
  /^(ECONN\w+|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|25006|57P0[123]|08\w{3}|53300)$/;
const outageMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired/;

/** Returns the error in a chain of causes that shows that another server, such as the database, cannot be reached. */
export function findOutage(error: unknown): Error | undefined {
  return causesOf(error).find(
    (cause) =>
      ('code' in cause && outageCodes.test(String(cause.code))) || outageMessages.test(cause.message),
  );
}

/** Returns an error and its causes, the outermost first. */
export function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(causesOf) : [];
  return [error, ...inner, ...causesOf(error.cause)];
}
