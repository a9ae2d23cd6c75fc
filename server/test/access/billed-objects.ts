import type { ObjectKind } from './object-kind.ts';
import { addPaymentMethod, addSubscription } from './world.ts';

const subscribedTenant: ObjectKind = {
  name: 'subscribed tenant',
  async make(world, { tenant }) {
    const { rows } = await world.pool.query<{ id: number }>(
      'INSERT INTO tenants (name, slug) VALUES ($1, gen_random_uuid()) RETURNING id',
      [tenant.marker],
    );
    await addSubscription(world, rows[0]!.id);
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const paymentMethod: ObjectKind = {
  name: 'payment method',
  make: (world, { tenant }) => addPaymentMethod(world, tenant),
  missingId: () => 'pm_missing',
};

const budgetDefault: ObjectKind = {
  name: 'default budget',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, $2 || gen_random_uuid()) RETURNING id)
       INSERT INTO budget_defaults (tenant_id, team_id, measure, period, limit_amount)
       SELECT $1, id, 'usd', 'month', 50000000000 FROM team RETURNING id`,
      [tenant.id, tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const raiseRequest: ObjectKind = {
  name: 'request for a higher limit',
  async make({ pool }, { tenant, userId }) {
    const { rows } = await pool.query<{ id: number }>(
      `WITH budget AS (
         INSERT INTO budgets (tenant_id, user_id, model_pattern, measure, period, limit_amount)
         VALUES ($1, $2, $3, 'usd', 'month', 50000000000) RETURNING id)
       INSERT INTO budget_raise_requests (tenant_id, budget_id, user_id, limit_amount, until, reason)
       SELECT $1, id, $2, 60000000000, now() + interval '1 day', $3 FROM budget RETURNING id`,
      [tenant.id, userId, tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const budget: ObjectKind = {
  name: 'budget',
  async make({ pool }, { rowName, tenant, userId }) {
    const isRaised = rowName === 'endBudgetRaise';
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO budgets (tenant_id, user_id, model_pattern, measure, period, limit_amount, raised_limit, raised_until)
       VALUES ($1, $2, $3, 'usd', 'month', 50000000000, $4, now() + $5 * interval '1 day') RETURNING id`,
      [tenant.id, userId, tenant.marker, isRaised ? 60_000_000_000 : null, isRaised ? 1 : null],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

export const kindsOfMoney: Readonly<Record<string, ObjectKind>> = {
  '/admin/billing/tenants/{id}': subscribedTenant,
  '/billing/payment-methods/{id}': paymentMethod,
  '/admin/budgets/{id}': budget,
  '/admin/budget-defaults/{id}': budgetDefault,
  '/admin/budget-raise-requests/{id}': raiseRequest,
};
