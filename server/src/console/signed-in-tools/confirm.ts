import { formatUserCode, type PendingTool, type SignedInTool } from '@sluice/contract';
import { lockOpenTask } from '#console/api-keys/task-keys.ts';
import type { AccountThrottle, AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { sessionIdOf } from '#console/auth/own-sessions.ts';
import { lockSelf } from '#console/users/target.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { hashUserCode, type SignedInToolsDeps } from './authorize-device.ts';
import { readTool } from './list.ts';
import { toolNameOf } from './names.ts';
import {
  changeCode,
  type DeviceCode,
  findPendingCode,
  insertTool,
  lockOpenSession,
  lockPendingCode,
  selectOpenTasks,
} from './store.ts';

/** Throttles of wrong user codes: by user, and by IP address in case an attacker has several accounts. */
export interface GuessThrottles {
  readonly users: AccountThrottle;
  readonly addresses: AddressThrottle;
}

const unknownCode = () =>
  new ConsoleError(
    404,
    'This code is incorrect, has expired, or was already used. Compare it with the code that your tool shows, or start the sign-in again in the tool.',
  );

const sessionEnded = () => new ConsoleError(401, 'Could not validate credentials');

/** Runs `work` unless the user or the IP address has sent too many wrong codes. Correct codes do not count. */
async function countingGuesses<Result>(
  { users, addresses }: GuessThrottles,
  { principal: { userId }, address }: SignedInContext,
  work: () => Promise<Result | null>,
): Promise<Result> {
  await users.count(userId);
  await addresses.count(address);
  const takeBack = () => Promise.all([users.takeBack(userId), addresses.takeBack(address)]);
  const result = await work().catch(async (error: unknown) => {
    await takeBack();
    throw error;
  });
  if (result === null) throw unknownCode();
  await takeBack();
  return result;
}

export function findPendingTool(
  deps: SignedInToolsDeps,
  throttles: GuessThrottles,
  ctx: SignedInContext,
  userCode: string,
): Promise<PendingTool> {
  return countingGuesses(throttles, ctx, async () => {
    const code = await findPendingCode(
      deps.database,
      hashUserCode(deps.keyring, userCode),
      new Date(deps.clock()),
    );
    if (!code) return null;
    const endsAt = await lockOpenSession(deps.database, sessionIdOf(ctx.principal));
    if (!endsAt) throw sessionEnded();
    const tasks = await selectOpenTasks(deps.database, ctx.principal);
    const wanted = code.taskTitle?.toLowerCase();
    return {
      user_code: formatUserCode(userCode),
      tool_name: toolNameOf(code),
      device_name: code.deviceName,
      address: code.address,
      user_agent: code.userAgent,
      requested_at: code.createdAt.toISOString(),
      expires_at: code.expiresAt.toISOString(),
      access_ends_at: endsAt.toISOString(),
      tasks: tasks.map(({ id, title }) => ({ id, title, is_requested: title.toLowerCase() === wanted })),
    };
  });
}

/**
 * Signs in the tool of a code for one of the caller's assignments. The tool is signed out when the caller's session
 * ends.
 * @throws ConsoleError 403 if the caller is blocked, 404 if there is no such assignment, 409 if the task has ended,
 * 422 if the caller has too many tools
 */
export function allowTool(
  deps: SignedInToolsDeps,
  throttles: GuessThrottles,
  ctx: SignedInContext,
  { user_code: userCode, task_id: assignmentId }: { readonly user_code: string; readonly task_id: number },
): Promise<SignedInTool> {
  const { principal } = ctx;
  return decide(deps, throttles, ctx, userCode, async (tx, code) => {
    const { isBlocked } = await lockSelf(tx, principal);
    if (isBlocked) throw new ConsoleError(403, 'Your account is blocked, so you cannot sign in a tool.');
    const sessionId = sessionIdOf(principal);
    if (!(await lockOpenSession(tx, sessionId))) throw sessionEnded();
    const { taskId } = await lockOpenTask(tx, principal, assignmentId);
    const { tenantId, userId } = principal;
    const { clientId, deviceName, address, userAgent, expiresAt } = code;
    // The tool expires with its code until the first key is issued.
    const tool = { tenantId, userId, clientId, deviceName, address, userAgent, taskId, sessionId, expiresAt };
    const toolId = await insertTool(tx, tool);
    await changeCode(tx, code.id, { state: 'allowed', toolId });
    return readTool(tx, principal, toolId);
  });
}

export async function denyTool(
  deps: SignedInToolsDeps,
  throttles: GuessThrottles,
  ctx: SignedInContext,
  userCode: string,
): Promise<void> {
  await decide(deps, throttles, ctx, userCode, async (tx, code) => {
    await changeCode(tx, code.id, { state: 'denied' });
    return true;
  });
}

function decide<Result>(
  { database, keyring, clock }: SignedInToolsDeps,
  throttles: GuessThrottles,
  ctx: SignedInContext,
  userCode: string,
  work: (tx: SystemDatabase, code: DeviceCode) => Promise<Result>,
): Promise<Result> {
  return countingGuesses(throttles, ctx, () =>
    changeAs(database, ctx.actor, async (tx) => {
      const code = await lockPendingCode(tx, hashUserCode(keyring, userCode), new Date(clock()));
      return code ? work(tx, code) : null;
    }),
  );
}
