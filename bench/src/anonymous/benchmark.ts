import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { formatApiKey } from '../../../server/src/domain/api-key.ts';
import { readCpuMs } from '../../../server/test/processes/cpu-time.ts';
import { createSluice, type SluiceProcess } from '../../../server/test/processes/sluice-process.ts';
import { formatFigure, formatTable } from '../report/document.ts';

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly makeKey?: () => string;
  readonly body?: string;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { count: { type: 'string', default: '300' } } });
  const count = Number(values.count);
  const sluice = await createSluice({ SLUICE_WORKERS: '1', SLUICE_DEMO: '1', LOG_LEVEL: 'silent' });
  try {
    await sluice.start();
    const rows: string[][] = [];
    for (const call of listCalls()) rows.push([call.name, ...(await measure(sluice, call, count))]);
    rows.sort((one, other) => Number(other[3]) - Number(one[3]));
    console.log(formatTable([['request', 'statuses', 'KB', 'CPU ms'], ...rows]));
  } finally {
    await sluice.remove();
  }
}

function listCalls(): Call[] {
  const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
  const withoutParameters = (row: RouteRow) => pathOf(row).replace(/\{\w+\}/g, '1');
  const ofRows = rows
    .filter(([, row]) => row.permission === 'anyone' || row.surface === 'public')
    .map(([name, row]) => ({
      name: `${row.method} ${name}`,
      method: row.method,
      path: withoutParameters(row),
      ...makeBody(row),
    }));
  const openapi = { method: 'GET', path: '/api/v1/openapi.json' };
  const get = (name: string, path: string, headers: Record<string, string> = {}): Call => ({
    name,
    method: 'GET',
    path,
    headers,
  });
  return [
    ...ofRows,
    ...['br', 'gzip'].map((coding) => ({
      ...openapi,
      name: `GET getOpenapi, ${coding}`,
      headers: { 'accept-encoding': coding },
    })),
    { ...openapi, method: 'HEAD', name: 'HEAD getOpenapi' },
    get('the page', '/'),
    get('the page of an unknown path', '/no/such/page'),
    get('an unknown path of the API', '/api/v1/nothing'),
    get('a console route without a session', '/api/v1/admin/users'),
    get('a console route with a forged session', '/api/v1/admin/users', {
      authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x',
    }),
    {
      ...get('a model request with unknown keys', '/api/v1/models'),
      makeKey: () => formatApiKey(randomBytes(64)),
    },
    ...listAssets().map((file) => get(`the file ${file}`, `/assets/${file}`)),
  ];
}

function listAssets(): string[] {
  const folder = join(import.meta.dirname, '../../../web/dist/assets');
  return readdirSync(folder)
    .filter((file) => /\.(js|css)$/.test(file))
    .slice(0, 2);
}

function makeBody(row: RouteRow): Pick<Call, 'headers' | 'body'> {
  if (row.request?.form) {
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'username=nobody%40example.com&password=no',
    };
  }
  if (row.method === 'GET') return {};
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(10_000) }),
  };
}

async function measure(sluice: SluiceProcess, call: Call, count: number): Promise<string[]> {
  const [pid = 0] = sluice.pids('workers');
  const statuses = new Map<number, number>();
  let bytes = 0;
  const send = async () => {
    const { method, path, body = null, makeKey } = call;
    const headers = { ...call.headers, ...(makeKey && { authorization: `Bearer ${makeKey()}` }) };
    const answer = await fetch(sluice.origin + path, { method, headers, body });
    bytes = (await answer.arrayBuffer()).byteLength;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  for (let warmUp = 0; warmUp < 20; warmUp++) await send();
  statuses.clear();
  const before = readCpuMs(pid);
  for (let sent = 0; sent < count; sent++) await send();
  const cpuMs = (readCpuMs(pid) - before) / count;
  const told = [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ');
  return [told, formatFigure(bytes / 1_000, 1), formatFigure(cpuMs, 2)];
}
