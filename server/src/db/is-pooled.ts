/** Returns whether a pooler is between a node and its database; a second connection string then bypasses it. */
export function isPooled(addresses: {
  readonly connectionString: string;
  readonly directConnectionString?: string;
}): boolean {
  const { connectionString, directConnectionString = connectionString } = addresses;
  return connectionString !== directConnectionString;
}
