import { Button } from '@mantine/core';
import type { BilledTenant, BillingMetrics } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatShare } from '#lib/format-number.ts';
import { formatDay } from '#lib/format-time.ts';
import styles from './billing.module.css';
import { billedTenantsQuery, billingMetricsQuery, fetchBillingFile } from './billing-queries.ts';
import { ChoosePlanDialog } from './choose-plan-dialog.tsx';
import { subscriptionMarks, useCancellation } from './subscription.ts';

export function BillingTab() {
  const metrics = useQuery(billingMetricsQuery);
  const tenants = useQuery(billedTenantsQuery);
  const failure = describeFailure(
    tenants,
    'Unable to load tenant information. Please check your permissions.',
  );
  return (
    <>
      <StatStrip
        label="Billing statistics"
        stats={listStats(metrics.data)}
        failure={describeFailure(metrics, 'Failed to load billing metrics')}
      />
      <section className={styles.panel} aria-labelledby="plans-of-tenants">
        <div className={styles.head}>
          <h2 id="plans-of-tenants">Plans of tenants</h2>
          <ExportBilling />
        </div>
        {failure && <Failure {...failure} />}
        <PanelList label="Plans of tenants" items={tenants.data ?? []} noun="tenants">
          {(tenant) => <TenantPlan key={tenant.id} tenant={tenant} />}
        </PanelList>
      </section>
    </>
  );
}

function listStats(metrics: BillingMetrics | undefined) {
  const { tenants } = metrics ?? {};
  const usd = (amount: number | undefined) => (amount === undefined ? undefined : formatUsd(amount));
  return [
    {
      label: 'Tenants',
      value: tenants?.total,
      note: tenants && `${tenants.active} active, ${tenants.trial} trial, ${tenants.suspended} suspended`,
    },
    { label: 'Monthly revenue', value: usd(metrics?.monthly_recurring_revenue) },
    { label: 'Trials ending', value: metrics?.trials_ending_soon, note: 'within 7 days' },
    { label: 'Past due', value: metrics?.past_due },
    { label: 'Recharged', value: usd(metrics?.recharged_this_month), note: 'this month' },
    { label: 'Spent', value: usd(metrics?.spent_this_month), note: 'this month' },
    {
      label: 'Churn',
      value: metrics && formatShare(metrics.churn_rate / 100),
      note: metrics && `${metrics.canceled_this_month} ended this month`,
    },
  ];
}

function ExportBilling() {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      let name = 'sluice-billing.csv';
      const file = await fetchBillingFile((headers) => {
        name = readFileName(headers) ?? name;
      });
      downloadFile(name, file);
    } catch (error) {
      showError(messageOf(error, 'Failed to export billing'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" data-pending={isBusy || undefined} onClick={() => void run()}>
      Export
    </Button>
  );
}

function TenantPlan({ tenant }: { tenant: BilledTenant }) {
  const [isChoosing, setChoosing] = useState(false);
  const cancellation = useCancellation(tenant.id);
  const { id, name, plan_id, plan_name, subscription_status: status, ends_at, period_ends_at } = tenant;
  const isRunning = status !== null && status !== 'canceled';
  const choose = isRunning ? 'Change plan' : 'Choose plan';
  return (
    <li className={styles.row}>
      <div>
        <NameLine>{name}</NameLine>
        <SecondLine>{describePlan(tenant)}</SecondLine>
      </div>
      <div className={styles.buttons}>
        {status && (
          <StatusMark kind={subscriptionMarks[status].kind}>{subscriptionMarks[status].text}</StatusMark>
        )}
        <Button variant="default" aria-label={`${choose} of ${name}`} onClick={() => setChoosing(true)}>
          {choose}
        </Button>
        {isRunning && ends_at === null && (
          <Button
            variant="default"
            aria-label={`Cancel plan of ${name}`}
            data-pending={cancellation.isPending || undefined}
            onClick={() =>
              void cancellation.ask({
                name: `${plan_name ?? ''} plan of ${name}`,
                ends: period_ends_at,
                isPastDue: status === 'past_due',
              })
            }
          >
            Cancel
          </Button>
        )}
      </div>
      <ChoosePlanDialog
        title={`Plan of ${name}`}
        tenantId={id}
        currentPlanId={isRunning && ends_at === null ? plan_id : null}
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
      />
    </li>
  );
}

function describePlan(tenant: BilledTenant): string {
  const { plan_name, subscription_status: status, trial_ends_at, period_ends_at, ends_at } = tenant;
  if (plan_name === null) return 'No plan';
  if (ends_at !== null)
    return `${plan_name}, ${status === 'canceled' ? 'ended' : 'ends'} ${formatDay(ends_at)}`;
  if (status === 'trialing' && trial_ends_at) return `${plan_name}, trial until ${formatDay(trial_ends_at)}`;
  return period_ends_at ? `${plan_name}, current period ends ${formatDay(period_ends_at)}` : plan_name;
}
