import type { NetConnectOpts } from 'node:net';
import { type FaultProxy, type FaultyLink, startFaultProxy } from '../processes/fault-proxy.ts';

/** Proxy between a node and its database that simulates network failures. */
export interface DatabaseProxy extends FaultProxy {
  readonly connectionString: string;
}

export async function startDatabaseProxy(
  connectionString: string,
  links: readonly FaultyLink[] = [],
): Promise<DatabaseProxy> {
  const proxy = await startFaultProxy(addressOf(new URL(connectionString)), links);
  return { ...proxy, connectionString: proxied(connectionString, proxy.port) };
}

export function addressOf(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder?.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder ?? url.hostname, port };
}

export function proxied(connectionString: string, port: number): string {
  const url = new URL(connectionString);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
