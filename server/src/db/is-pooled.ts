/** Returns whether nodes use a pooler. A second connection string then bypasses the pooler. */
export function isPooled(addresses: {
  readonly connectionString: string;
  readonly directConnectionString?: string;
}): boolean {
  const { connectionString, directConnectionString = connectionString } = addresses;
  return connectionString !== directConnectionString;
}
