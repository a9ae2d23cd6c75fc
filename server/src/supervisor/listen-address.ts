interface Address {
  host: string;
  port: number;
}

/** Says which variable to change; any other error comes back as it is. */
export function explainListenError(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`port ${port} on ${host} is taken: set PORT to another port`);
  if (code === 'EACCES') return new Error(`port ${port} needs more rights: set PORT to one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`${host} is not an address of this machine: set HOST to another one`);
  }
  return error;
}
