import { defaultDeviationPolicy, type RouteRow } from '@sluice/contract';
import type { Caller } from './callers.ts';
import { addIdentityProvider, openIdIssuer } from './identity-objects.ts';
import { litellmInputs } from './litellm-inputs.ts';
import { addOwnTotp, proveSession } from './own-factors.ts';
import { type MakeInput, newName, newNumber, type RowInput } from './row-input.ts';
import { toolInputs } from './tool-objects.ts';
import {
  addBlockEvent,
  addChat,
  addMember,
  addPayment,
  addPlan,
  addSetupIntent,
  addSubscription,
  addTask,
  addTaskOf,
  addTeam,
  allowOwnKey,
  allowOwnKeys,
  password,
  type World,
} from './world.ts';

const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString();

const hello = { parts: [{ text: 'Hello' }] };
const askGemini: MakeInput = () => ({ body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } });

const monthly = { measure: 'usd', window: 'month', limit: 50 };
const labels: MakeInput = () => ({ body: { labels: { cost_center: newName() } } });
const unknownResponse = { secret: 'unknown', response: 'code=1', callback: '1-environment' };
const startOf = async (world: World, tenant: Caller['tenant']) => ({
  body: { identity_provider_id: await addIdentityProvider(world, tenant) },
});
/** Input for routes that change second factors, which require a recent sign-in. */
const provingSession: MakeInput = async (world, caller) => {
  await proveSession(world, caller);
  return {};
};
const noPasskey = {
  id: 'none',
  rawId: 'none',
  type: 'public-key',
  response: { clientDataJSON: '', attestationObject: '' },
};

const noSignature = {
  ...noPasskey,
  response: { clientDataJSON: '', authenticatorData: '', signature: '' },
};

/** The route's own schemas validate the input before it is sent. */
const inputsByRow: Readonly<Record<string, MakeInput>> = {
  login: async (world) => {
    const { email } = await addMember(world, world.home, 'user');
    return { form: { username: email, password } };
  },
  completeSignIn: () => ({ body: { ticket: 'none', code: '123456' }, status: 401 }),
  finishPasskeySignIn: () => ({ body: { challenge: 'none', passkey: noSignature }, status: 401 }),
  confirmPassword: () => ({ body: { password } }),
  startTotp: provingSession,
  confirmTotp: async (world, caller) => {
    await proveSession(world, caller);
    return { body: { code: '123456' }, status: 409 };
  },
  removeTotp: async (world, caller) => {
    await addOwnTotp(world, caller);
    return {};
  },
  startPasskey: provingSession,
  addPasskey: async (world, caller) => {
    await proveSession(world, caller);
    return { body: { name: newName(), passkey: noPasskey }, status: 422 };
  },
  removePasskey: provingSession,
  renewRecoveryCodes: async (world, caller) => {
    await addOwnTotp(world, caller);
    return {};
  },
  ...toolInputs,
  resetSecondFactor: () => ({ statusForSelf: 403 }),
  getMetrics: () => ({ status: 401 }),
  createIdentityProvider: async () => ({
    body: { name: newName(), issuer: await openIdIssuer(), client_id: 'sluice' },
  }),
  updateIdentityProvider: () => ({ body: { name: newName() } }),
  finishIdentityProviderTest: () => ({ body: unknownResponse, status: 400 }),
  addDomain: () => ({ body: { domain: `${newName()}.test` } }),
  updateSignInPolicy: () => ({ body: { session_hours: (newNumber() % 24) + 1 } }),
  startSignIn: (world, { tenant }) => startOf(world, tenant),
  // The provider of these tests serves only a discovery document, which is sufficient to start a sign-in.
  redirectToProvider: () => ({}),
  receiveRedirect: () => ({ query: { code: '1', state: '1' } }),
  finishSignIn: () => ({ body: unknownResponse, status: 400 }),
  receiveBackchannelLogout: () => ({ form: { logout_token: 'not a token' }, status: 400 }),
  signUp: () => ({
    body: {
      name: 'New',
      email: `${newName()}@new.test`,
      password,
      selected_plan_id: 'basic',
      payment_method_id: 'pm_card_visa',
    },
  }),
  resendSignupConfirmation: () => ({ body: { email: 'nobody@nowhere.test' } }),
  confirmSignup: () => ({ body: { password } }),
  changeOwnPassword: async (world, caller) => {
    await proveSession(world, caller);
    return { body: { current_password: password, new_password: 'another horse' } };
  },
  createUser: () => ({
    body: { email: `${newName()}@new.test`, name: 'New', password, role_id: 3 },
  }),
  updateUser: () => ({ body: { name: 'Renamed' } }),
  changeUsers: async (world, { tenant }) => {
    const { userId } = await addMember(world, tenant, 'user');
    return { body: { user_ids: [userId], change: { kind: 'limits', daily_quota: 5 } } };
  },
  blockUser: () => ({ query: { reason: 'a test' }, statusForSelf: 403 }),
  changeUserPassword: () => ({ body: { password: 'another horse' } }),
  bookCreditTransaction: () => ({
    body: { transaction_type: 'bonus', amount: 1, description: 'a test' },
  }),
  createTenant: () => ({
    body: {
      name: newName(),
      administrator_email: `${newName()}@new.test`,
      administrator_name: 'New',
      administrator_password: password,
    },
  }),
  updateTenant: () => ({ body: { name: newName() } }),
  suspendTenant: () => ({ body: { reason: 'a test' } }),
  createTeam: () => ({ body: { name: newName() } }),
  updateTeam: () => ({ body: { name: newName() } }),
  updateTeamMember: () => ({ body: { role: 'admin' } }),
  addTeamMember: async (world, { tenant }) => ({
    body: { user_id: (await addMember(world, tenant, 'user')).userId },
  }),
  requestPasswordReset: () => ({ body: { email: 'nobody@nowhere.test' } }),
  resetPassword: () => ({ body: { password } }),
  createInvitation: () => ({ body: { email: `${newName()}@new.test`, role: 'user' } }),
  createInvitations: () => ({ body: { invitations: [{ email: `${newName()}@new.test`, role: 'user' }] } }),
  acceptInvitation: () => ({ body: { name: 'New', password } }),
  createLlmProvider: ({ sandboxRegistryId }) => ({
    body: {
      provider_registry_id: sandboxRegistryId,
      provider_instance_name: newName(),
      enabled_models: ['sandbox-normal'],
    },
  }),
  createProviderRegistryEntry: () => ({ body: { provider_key: newName(), display_name: 'New' } }),
  updateProviderRegistryEntry: () => ({ body: { supported_models: [newName()] } }),
  testLlmProvider: ({ sandboxRegistryId }) => ({ body: { provider_registry_id: sandboxRegistryId } }),
  startMaintenance: () => ({ body: { reason: 'a test' } }),
  setFallbackOrder: (_, { tenant }) => ({ body: { llm_provider_ids: [tenant.instanceId] } }),
  rotateLlmProviderKey: () => ({ body: { api_key: newName() } }),
  updateLlmProvider: () => ({ body: { provider_instance_name: newName() } }),
  grantUserAccess: async (world, { tenant }) => {
    const { userId } = await addMember(world, tenant, 'admin');
    return {
      body: { user_id: userId, llm_provider_id: tenant.instanceId, allowed_models: ['sandbox-normal'] },
    };
  },
  grantTeamAccess: async (world, { tenant }) => ({
    body: {
      team_id: await addTeam(world, tenant),
      llm_provider_id: tenant.instanceId,
      allowed_models: ['sandbox-normal'],
    },
  }),
  grantUserAccesses: async (world, { tenant }) => {
    const { userId } = await addMember(world, tenant, 'admin');
    const access = { llm_provider_id: tenant.instanceId, allowed_models: ['sandbox-normal'] };
    return { body: { accesses: [{ user_id: userId, ...access }] } };
  },
  grantTeamAccesses: async (world, { tenant }) => {
    const access = { llm_provider_id: tenant.instanceId, allowed_models: ['sandbox-normal'] };
    return { body: { accesses: [{ team_id: await addTeam(world, tenant), ...access }] } };
  },
  updateUserAccess: () => ({ body: { allowed_models: ['sandbox-echo'] } }),
  updateTeamAccess: () => ({ body: { allowed_models: ['sandbox-echo'] } }),
  listPermittedUsers: (_, { tenant }) => ({ query: { model: tenant.models.granted } }),
  explainAccess: async (world, { tenant }) => {
    const { userId } = await addMember(world, tenant, 'user');
    return { query: { user_id: String(userId), model: tenant.models.granted } };
  },
  addBlacklistEntry: () => ({ body: { provider_key: newName(), reason: 'a test' } }),
  checkBlacklist: () => ({ body: { provider_key: 'openai', model_name: 'gpt-5' } }),
  createBudget: async (world, { tenant }) => ({
    body: { ...monthly, subject_type: 'team', subject_id: await addTeam(world, tenant) },
  }),
  createBudgetDefault: async (world, { tenant }) => ({
    body: { ...monthly, team_id: await addTeam(world, tenant) },
  }),
  updateBudgetDefault: () => ({ body: { limit: 75.5 } }),
  previewBudgetDefault: async (world, { tenant }) => ({
    body: { ...monthly, team_id: await addTeam(world, tenant) },
  }),
  replayBudget: () => ({ body: { budget: { ...monthly, subject_type: 'tenant' }, days: 7 } }),
  updateBudget: () => ({ body: { limit: 75.5 } }),
  setTeamLabels: labels,
  setUserLabels: labels,
  setTaskLabels: labels,
  getStatement: () => ({ query: { month: '2026-11' } }),
  listTopLabels: () => ({ query: { label_name: 'cost_center' } }),
  raiseBudget: () => ({ body: { limit: 100, until: inOneDay(), reason: 'a test' } }),
  createComparison: ({ sandboxRegistryId }, { tenant }) => {
    const compared = { provider_registry_id: sandboxRegistryId, model_name: tenant.models.granted };
    return { body: { prompt: 'Hello', provider_models: [compared, compared] } };
  },
  createChat: async (world, { tenant, userId }) => {
    const owner = userId ?? (await addMember(world, tenant, 'user')).userId;
    return { body: { task_id: await addTaskOf(world, tenant, owner) } };
  },
  sendChatMessage: async (world, { tenant, userId }) => {
    const owner = userId ?? (await addMember(world, tenant, 'user')).userId;
    const chatId = await addChat(world, tenant, owner);
    return { body: { chat_id: chatId, content: 'Hello', model: tenant.models.granted } };
  },
  voteOnComparison: () => ({ body: { vote: 'A' } }),
  createTask: () => ({ body: { title: newName(), description: 'A task of the tests' } }),
  createTaskAssignment: async (world, { tenant }) => {
    const { userId } = await addMember(world, tenant, 'admin');
    return { body: { task_id: await addTask(world, tenant), user_id: userId } };
  },
  createEmbeddings: (_world, { tenant }) => ({ body: { model: tenant.models.embedding, input: 'Hello' } }),
  createResponse: (_world, { tenant }) => ({ body: { model: tenant.models.granted, input: 'Hello' } }),
  countResponseTokens: (_world, { tenant }) => ({ body: { model: tenant.models.granted, input: 'Hello' } }),
  // The sandbox does not support compaction.
  compactResponse: (_world, { tenant }) => ({
    body: { model: tenant.models.granted, input: 'Hello' },
    status: 501,
  }),
  ...Object.fromEntries(
    ['generateContent', 'streamGenerateContent', 'countGeminiTokens'].flatMap((name) =>
      [name, `${name}Beta`].map((rowName) => [rowName, askGemini]),
    ),
  ),
  ...Object.fromEntries(
    ['embedContent', 'embedContentBeta'].map((name) => [name, () => ({ body: { content: hello } })]),
  ),
  ...Object.fromEntries(
    ['batchEmbedContents', 'batchEmbedContentsBeta'].map((name) => [
      name,
      () => ({ body: { requests: [{ content: hello }] } }),
    ]),
  ),
  createMessage: (_world, { tenant }) => ({
    body: { model: tenant.models.granted, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
  }),
  countMessageTokens: (_world, { tenant }) => ({
    body: { model: tenant.models.granted, messages: [{ role: 'user', content: 'Hello' }] },
  }),
  updateTask: () => ({ body: { title: newName() } }),
  updateTaskAssignment: () => ({ body: { progress_notes: newName() } }),
  updateSettings: () => ({ body: { time_zone: `Etc/GMT+${(newNumber() % 11) + 1}` } }),
  getRecentUse: (_, { tenant }) => ({ query: { llm_provider_id: String(tenant.instanceId) } }),
  regenerateOwnApiKey: async (world, { tenant, userId }) => {
    await allowOwnKey(world, tenant, userId ?? (await addMember(world, tenant, 'user')).userId);
    return { body: {} };
  },
  createApiKey: async (world, { tenant }) => ({
    body: { user_id: (await addMember(world, tenant, 'user')).userId, name: newName() },
  }),
  createOwnApiKey: async (world, { tenant }) => {
    await allowOwnKeys(world, tenant);
    return { body: { name: newName() } };
  },
  createServiceAccount: () => ({ body: { name: newName() } }),
  updateServiceAccount: () => ({ body: { name: newName() } }),
  createOwnManagementToken: async ({ pool }, { userId }) => {
    const { rows } = await pool.query('SELECT FROM users WHERE id = $1 AND is_blocked', [userId]);
    const body = { name: newName(), scopes: ['account:read'] };
    return rows.length === 0 ? { body } : { body, status: 403 };
  },
  createManagementToken: () => ({ body: { name: newName(), scopes: ['account:read'] } }),
  updateApiKey: () => ({ body: { name: newName() } }),
  ...litellmInputs,
  updateOwnApiKey: async (world, { tenant }) => {
    await allowOwnKeys(world, tenant);
    return { body: { name: newName() } };
  },
  rotateOwnApiKey: async (world, { tenant }) => {
    await allowOwnKeys(world, tenant);
    return { body: {} };
  },
  previewRetention: () => ({ query: { retention_days: '30', body_retention_days: '7' } }),
  checkCredits: () => ({ query: { amount: '1' } }),
  rechargeCredits: () => ({ body: { amount: 5, description: 'a test' } }),
  rechargeTenantOfUser: () => ({ body: { amount: 5, description: 'a test' } }),
  refundTenantOfUser: () => ({ query: { amount: '5', description: 'a test' } }),
  createPaymentIntent: () => ({ query: { amount: '5', description: 'a test' } }),
  confirmPayment: async (world, { tenant }) => ({
    query: { payment_intent_id: (await addPayment(world, tenant)).intentId },
  }),
  paySimulated: async (world, { tenant }) => ({
    body: { client_secret: (await addPayment(world, tenant)).clientSecret, payment_method: 'pm_card_visa' },
  }),
  authenticateSimulated: async (world, { tenant }) => ({
    body: { client_secret: (await addPayment(world, tenant)).clientSecret, is_approved: true },
  }),
  confirmSimulatedSetup: async (world) => ({
    body: { client_secret: await addSetupIntent(world, 'succeeded'), payment_method: 'pm_card_visa' },
  }),
  authenticateSimulatedSetup: async (world) => ({
    body: { client_secret: await addSetupIntent(world, 'requires_action'), is_approved: true },
  }),
  addPaymentMethod: () => ({ body: { payment_method_id: 'pm_card_visa' } }),
  changeSubscription: async (world, { tenant }) => {
    await addSubscription(world, tenant.id);
    return { body: { plan_id: await addPlan(world) } };
  },
  cancelSubscription: async (world, { tenant }) => {
    await addSubscription(world, tenant.id);
    return {};
  },
  paySubscription: async (world, { tenant }) => {
    await addSubscription(world, tenant.id);
    return {};
  },
  changeTenantSubscription: async (world) => ({ body: { plan_id: await addPlan(world) } }),
  receiveStripeEvent: () => ({ body: { id: 'evt_1' }, status: 400 }),
  retryFailedWebhooks: () => ({ body: { max_retries: 10 } }),
  updateUserProfile: () => ({ body: { name: newName() } }),
  updatePreferences: () => ({ body: { theme: 'dark', density: 'compact', time_zone: null } }),
  updateTaskProgress: () => ({ body: { progress_notes: newName() } }),
  previewGovernance: () => ({ body: { text: 'Hello' } }),
  replayPolicy: () => ({ body: { policy: defaultDeviationPolicy, days: 7 } }),
  createAppeal: async (world, { userId, authorization }) => {
    // Only sessions can appeal. Blocking the user of a key would affect the other callers that use the key.
    if (userId !== null && authorization?.startsWith('Bearer eyJ')) {
      await world.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [userId]);
      await addBlockEvent(world, userId);
    }
    return { body: { message: 'a test' } };
  },
  requestBudgetRaise: async (world, { tenant, userId }) => {
    const owner = userId ?? (await addMember(world, tenant, 'user')).userId;
    const { rows } = await world.pool.query<{ id: number }>(
      `INSERT INTO budgets (tenant_id, user_id, model_pattern, measure, period, limit_amount)
       VALUES ($1, $2, gen_random_uuid(), 'usd', 'month', 50000000000) RETURNING id`,
      [tenant.id, owner],
    );
    return { body: { budget_id: rows[0]!.id, limit: 100, until: inOneDay(), reason: 'a test' } };
  },
  decideRaiseRequest: () => ({ body: { decision: 'decline', note: 'a test' }, statusForSelf: 403 }),
  decideAppeal: () => ({ body: { decision: 'deny', note: 'a test' }, statusForSelf: 403 }),
  reopenAppeal: () => ({ statusForSelf: 403 }),
  correctIntent: () => ({ body: { intent: 'research' } }),
  setLowBalanceThreshold: () => ({ body: { threshold: 1 } }),
  setPrice: (_world, { tenant }) => ({
    body: { llm_provider_id: tenant.instanceId, model: 'sandbox-normal', price: { input: 1, output: 2 } },
  }),
  estimatePrice: () => ({ query: { provider: 'openai', model: 'gpt-4o', input_text: 'Hello' } }),
  findCheapestModel: () => ({ query: { provider: 'openai' } }),
  createScimToken: () => ({ body: { name: newName() } }),
  updateScimToken: () => ({ body: { name: newName() } }),
  createScimUser: () => ({ body: { userName: `${newName()}@new.test` } }),
  replaceScimUser: () => ({ body: { displayName: 'Renamed' } }),
  patchScimUser: () => ({ body: { Operations: [{ op: 'replace', path: 'displayName', value: 'Renamed' }] } }),
  createScimGroup: () => ({ body: { displayName: newName() } }),
  replaceScimGroup: () => ({ body: { displayName: newName() } }),
  patchScimGroup: () => ({
    body: { Operations: [{ op: 'replace', path: 'displayName', value: newName() }] },
    status: 204,
  }),
  createChatCompletion: (_world, { tenant }) => ({
    body: { model: tenant.models.granted, messages: [{ role: 'user', content: 'Hello' }] },
  }),
};

export async function makeInput(
  world: World,
  rowName: string,
  { request = {} }: RouteRow,
  caller: Caller,
): Promise<RowInput> {
  const make = inputsByRow[rowName];
  if (make) return make(world, caller);
  const isNeeded = [request.query, request.body, request.form].some(
    (schema) => schema && !schema.safeParse({}).success,
  );
  if (isNeeded) {
    throw new Error(
      `the access matrix has no input for ${rowName}: add a valid one to server/test/access/inputs.ts`,
    );
  }
  return {};
}
