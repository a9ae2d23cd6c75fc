/** Whether a pooler stands between a node and its database: then there is a second address that leads past it. */
export function isPooled(addresses: {
  readonly connectionString: string;
  readonly directConnectionString?: string;
}): boolean {
  const { connectionString, directConnectionString = connectionString } = addresses;
  return connectionString !== directConnectionString;
}
