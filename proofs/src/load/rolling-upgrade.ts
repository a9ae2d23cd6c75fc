import { authRoutes, contract, createClient, pathOf, type RouteRow } from '@sluice/contract';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { type LoadFigures, loadTwoNodes, type TwoNodes } from './two-nodes-under-load.ts';

export interface UpgradeFigures extends LoadFigures {
  migrations: number;
  /**
   * Number of responses on the migrated schema while only the previous version received requests, and while both
   * versions did.
   */
  answeredByFormer: number;
  answeredByBoth: number;
  pages: number;
  changedPages: string[];
  refusal: string;
}

const answersOfAPhase = 200;

/**
 * Upgrades two nodes of a previous release in turn under load. The previous version first runs alone on the schema
 * that the new version has migrated, and then together with the new version.
 */
export async function upgradeInTurns(nginxProgram: string, folder: string): Promise<UpgradeFigures> {
  let found: Omit<UpgradeFigures, keyof LoadFigures> | undefined;
  const figures = await loadTwoNodes({ nginxProgram, folder, env: {} }, async (pair) => {
    found = await upgrade(pair, folder);
  });
  if (!found) throw new Error('the upgrade did not finish');
  return { ...figures, ...found };
}

async function upgrade(pair: TwoNodes, folder: string) {
  const { nodes, restart, route, awaitAnswers } = pair;
  const [first, second] = nodes;
  await awaitAnswers(answersOfAPhase);
  const [migrationsBefore, pagesBefore] = [await countMigrations(pair), await readPages(second)];
  await restart(first);
  const migrations = (await countMigrations(pair)) - migrationsBefore;
  await route([second]);
  const answeredByFormer = await awaitAnswers(answersOfAPhase);
  const pages = await readPages(second);
  await route(nodes);
  const answeredByBoth = await awaitAnswers(answersOfAPhase);
  await restart(second);
  await awaitAnswers(answersOfAPhase);
  const changedPages = [...pagesBefore]
    .filter(([path, status]) => status !== pages.get(path))
    .map(([path, status]) => `${path}: ${status}, then ${pages.get(path) ?? 404}`);
  await route([second]);
  const refusal = await startFormer(first, folder);
  return { migrations, answeredByFormer, answeredByBoth, pages: pages.size, changedPages, refusal };
}

const countMigrations = async ({ pool }: TwoNodes) =>
  (await pool.query('SELECT FROM schema_migrations')).rowCount ?? 0;

/** Returns the status of each console route without parameters. Omits unknown routes. */
async function readPages({ origin, admin }: SluiceProcess): Promise<Map<string, number>> {
  const { access_token: token } = await createClient(authRoutes, {
    baseUrl: origin,
    headers: () => ({}),
  }).login({ form: { username: admin.email, password: admin.password } });
  const rows: RouteRow[] = Object.values(contract).flatMap((routes) => Object.values(routes));
  const paths = rows
    .filter(({ method, path, base }) => method === 'GET' && base === undefined && !path.includes('{'))
    .map(pathOf);
  const statuses = new Map<string, number>();
  for (const path of paths) {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.status !== 404) statuses.set(path, answer.status);
  }
  return statuses;
}

/** Resolves with the previous version's message about the newer database. */
async function startFormer(node: SluiceProcess, folder: string): Promise<string> {
  node.signal('SIGTERM');
  await node.exited;
  return node.start(folder).then(() => 'nothing: it started', String);
}
