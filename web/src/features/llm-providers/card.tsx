import type { LlmProvider, LlmProviderHealth } from '@sluice/contract';
import type { ReactNode } from 'react';
import { RowActions } from '#components/data-table/row-actions.tsx';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { ProviderBudgets } from '#features/budgets/index.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity, formatShare } from '#lib/format-number.ts';
import { formatDuration, formatFullTime, formatRelative, formatShortTime } from '#lib/format-time.ts';
import { countFailures, healthKind } from '#lib/provider-health.ts';
import { useNow } from '#lib/use-now.ts';
import type { ProviderActions } from './actions.ts';
import styles from './card.module.css';
import healthStyles from './health.module.css';
import { useEndMaintenance } from './queries.ts';

const shownModels = 3;

interface ProviderCardProps {
  provider: LlmProvider;
  health: LlmProviderHealth | undefined;
  actions: ProviderActions;
}

export function ProviderCard({ provider, health, actions }: ProviderCardProps) {
  const { provider_instance_name: name, enabled_models: models } = provider;
  const hidden = models.slice(shownModels);
  const nowMs = useNow();
  const maintenance = isUnderWay(provider.maintenance?.until, nowMs) ? provider.maintenance : null;
  const overlap = isUnderWay(provider.key_overlap?.ends_at, nowMs) ? provider.key_overlap : null;
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.name} title={name}>
          {name}
        </h2>
        <ProviderStatus provider={provider} isInMaintenance={maintenance !== null} />
      </div>
      <div className={styles.kind}>
        <ProviderName providerKey={provider.provider_key} />
        <Badge>{provider.is_service_managed ? 'Sluice managed' : 'Self managed'}</Badge>
      </div>
      <CardNotes maintenance={maintenance} overlap={overlap} nowMs={nowMs} />
      <ul className={styles.models} aria-label={`Models of ${name}`}>
        {models.slice(0, shownModels).map((model) => (
          <li key={model} title={model}>
            <code>{model}</code>
          </li>
        ))}
        {hidden.length > 0 && (
          <li className="num quiet" title={hidden.join(', ')}>
            +{hidden.length} more
          </li>
        )}
        {models.length === 0 && <li className="quiet">No models enabled</li>}
      </ul>
      <dl className={styles.facts}>
        <Fact name="Default model">{provider.default_model ?? 'None'}</Fact>
        {provider.api_endpoint !== null && <Fact name="Endpoint">{provider.api_endpoint}</Fact>}
      </dl>
      {health && <ProviderHealth health={health} />}
      <ProviderBudgets id={provider.id} />
      <div className={styles.foot}>
        <MaintenanceSwitch
          provider={provider}
          isOn={maintenance !== null}
          onStart={() => actions.open('maintenance', provider)}
        />
        <RowActions row={provider} rowName={name} actions={actions.rowActions} isTabStop />
      </div>
    </article>
  );
}

/** Uses the browser's clock. A period without an end never expires. */
const isUnderWay = (end: string | null | undefined, nowMs: number) => !end || Date.parse(end) > nowMs;

interface ProviderStatusProps {
  provider: LlmProvider;
  isInMaintenance: boolean;
}

function ProviderStatus({ provider: { is_active, is_default }, isInMaintenance }: ProviderStatusProps) {
  if (!is_active) return <StatusMark kind="off">Inactive</StatusMark>;
  return (
    <span className={styles.marks}>
      <StatusMark kind="ok">{is_default ? 'Default' : 'Active'}</StatusMark>
      {isInMaintenance && <StatusMark kind="warn">Maintenance</StatusMark>}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd title={children}>{children}</dd>
    </div>
  );
}

interface MaintenanceSwitchProps {
  provider: LlmProvider;
  isOn: boolean;
  /** Opens the dialog for the reason and the end. */
  onStart: () => void;
}

/** Turning the switch off takes effect immediately. */
function MaintenanceSwitch({ provider, isOn, onStart }: MaintenanceSwitchProps) {
  const { id, provider_instance_name: name } = provider;
  const { mutate, isPending } = useEndMaintenance();
  const end = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => showSuccess(`${name} accepts requests again`),
        onError: (error) => showError(messageOf(error, 'Failed to end maintenance')),
      },
    );
  return (
    <SwitchField
      label="Maintenance"
      aria-label={`Maintenance of ${name}`}
      checked={isOn}
      aria-disabled={isPending}
      onChange={() => {
        if (!isOn) onStart();
        else if (!isPending) end();
      }}
    />
  );
}

/** Computed from the last 24 hours of the request log. */
function ProviderHealth({ health }: { health: LlmProviderHealth }) {
  const nowMs = useNow();
  const { last_success_at, requests, error_rate, p50_ms, p95_ms, spend, models_in_cooldown } = health;
  return (
    <div className={healthStyles.health}>
      {models_in_cooldown.length > 0 && (
        <StatusMark kind="bad">In cooldown after failures: {models_in_cooldown.join(', ')}</StatusMark>
      )}
      {requests === 0 ? (
        <p className="quiet">No requests in the last 24 hours</p>
      ) : (
        <dl className={`num ${healthStyles.figures}`}>
          <Figure name="Requests, 24 h">{formatCount(requests)}</Figure>
          <Figure
            name="Errors"
            title={`${formatCount(countFailures(health))} of ${formatQuantity(requests, 'request')} failed`}
          >
            {error_rate === null ? (
              '–'
            ) : (
              <StatusMark kind={healthKind({ ...health, models_in_cooldown: [] })}>
                {formatShare(error_rate)}
              </StatusMark>
            )}
          </Figure>
          <Figure name="p50 / p95">
            {p50_ms === null || p95_ms === null
              ? '–'
              : `${formatDuration(p50_ms)} / ${formatDuration(p95_ms)}`}
          </Figure>
          <Figure name="Cost">{formatUsd(spend)}</Figure>
          <Figure name="Last success" title={last_success_at ? formatFullTime(last_success_at) : undefined}>
            {last_success_at ? formatRelative(last_success_at, nowMs) : 'None'}
          </Figure>
        </dl>
      )}
    </div>
  );
}

interface FigureProps {
  name: string;
  title?: string | undefined;
  children: ReactNode;
}

function Figure({ name, title, children }: FigureProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CardNotes({
  maintenance,
  overlap,
  nowMs,
}: {
  maintenance: LlmProvider['maintenance'];
  overlap: LlmProvider['key_overlap'];
  nowMs: number;
}) {
  if (!maintenance && !overlap) return null;
  return (
    <div className={styles.notes}>
      {maintenance && (
        <p>
          {maintenance.reason && <>{maintenance.reason}. </>}
          <span className="quiet">
            In maintenance since {formatShortTime(maintenance.since)}
            {maintenance.until ? `, until ${formatShortTime(maintenance.until)}` : ''}.
          </span>
        </p>
      )}
      {overlap && <KeyOverlap {...overlap} nowMs={nowMs} />}
    </div>
  );
}

function KeyOverlap({
  ends_at,
  new_key_refused_at,
  nowMs,
}: NonNullable<LlmProvider['key_overlap']> & { nowMs: number }) {
  const end = formatShortTime(ends_at);
  if (new_key_refused_at === null)
    return <p className="quiet">The previous key is used until {end} if the provider refuses the new key.</p>;
  return (
    <div>
      <StatusMark kind="bad">
        The provider refused the new key {formatRelative(new_key_refused_at, nowMs)}
      </StatusMark>
      <p>Requests use the previous key, which is deleted at {end}. Rotate to a working key before then.</p>
    </div>
  );
}
