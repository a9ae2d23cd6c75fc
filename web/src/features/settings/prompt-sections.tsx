import { useDebouncedValue } from '@mantine/hooks';
import type { PromptPrivacy, RetentionPreview } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { capitalize } from '#lib/format-label.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatFullTime } from '#lib/format-time.ts';
import styles from './form.module.css';
import { retentionPreviewQuery } from './queries.ts';
import { SettingsSection } from './section.tsx';
import type { SettingsFields } from './use-settings-form.ts';

/** Example: `About 1,204 log rows older than 30 days will be deleted at the next run.` */
export function describeRetention(
  { rows, bodies, is_exact }: RetentionPreview,
  days: { readonly rows: number; readonly bodies: number },
): string {
  const about = (count: number, adjective = '') =>
    `${is_exact ? 'about' : 'at least'} ${formatQuantity(count, `${adjective}log row`)}`;
  const rowsText =
    rows === 0
      ? `No log row is older than ${countDays(days.rows)}.`
      : `${capitalize(about(rows))} older than ${countDays(days.rows)} will be deleted at the next run.`;
  const bodiesText =
    bodies === 0
      ? `No ${rows === 0 ? '' : 'other '}prompt or answer is older than ${countDays(days.bodies)}.`
      : `The prompts and answers of ${about(bodies, rows === 0 ? '' : 'other ')} are older than ${countDays(days.bodies)} and will be deleted at the next run.`;
  return `${rowsText} ${bodiesText}`;
}

const countDays = (days: number) => formatQuantity(days, 'day');

const pauseMs = 300;

interface RetentionNoticeProps {
  rowDays: number;
  bodyDays: number;
  timeZone: string;
  isValid: boolean;
}

/** Notice about which rows the entered retention period deletes, and when. */
function RetentionNotice({ rowDays, bodyDays, timeZone, isValid }: RetentionNoticeProps) {
  const [days] = useDebouncedValue(`${rowDays} ${bodyDays}`, pauseMs);
  const [rows = 0, bodies = 0] = days.split(' ').map(Number);
  const isSettled = rows === rowDays && bodies === bodyDays;
  const { data: preview, isError } = useQuery({
    ...retentionPreviewQuery(rows, bodies),
    placeholderData: keepPreviousData,
    enabled: isValid && isSettled && rows > 0,
  });
  return (
    <p className={styles.text} role="status" aria-label="Deletion preview" aria-busy={!isSettled}>
      {isError && 'Failed to count what would be deleted.'}
      {!isError && isValid && preview && isSettled && (
        <>
          {describeRetention(preview, { rows, bodies })}{' '}
          <span className="num">Next run: {formatFullTime(preview.runs_at, timeZone)}.</span>
        </>
      )}
    </p>
  );
}

const modes = [
  { value: 'full', label: 'Everything' },
  { value: 'redacted', label: 'Without secrets and personal data' },
  { value: 'metadata', label: 'Figures only' },
] as const;

const explanations: Readonly<Record<PromptPrivacy, string>> = {
  full: 'Prompts and answers are stored unchanged.',
  redacted:
    'Keys, tokens, passwords, email addresses, phone numbers, cards and IBANs are replaced by placeholders such as [email].',
  metadata:
    'Prompts, answers and error texts are not stored, and models cannot be compared. Tokens, cost and intent are stored.',
};

export function PromptSections({ timeZone, ...fields }: SettingsFields & { timeZone: string }) {
  return (
    <>
      <SettingsSection
        title="Prompts and answers"
        text="How the log stores prompts and answers of new requests. Existing entries do not change until they are deleted."
      >
        <PrivacyField {...fields} />
      </SettingsSection>
      <SettingsSection
        title="Retention"
        text="Comparisons are deleted with prompts and answers. Usage figures are used by Analytics and reports. Credit transactions are never deleted."
      >
        <RetentionFields timeZone={timeZone} {...fields} />
      </SettingsSection>
    </>
  );
}

function PrivacyField({ shown, problems, change }: SettingsFields) {
  const mode = modes.find(({ value }) => value === shown.prompt_privacy)?.value ?? 'full';
  return (
    <SelectField
      label="Stored content"
      options={modes}
      value={mode}
      description={explanations[mode]}
      error={problems.prompt_privacy}
      onChange={(value) => change('prompt_privacy', value)}
    />
  );
}

function RetentionFields({ timeZone, shown, problems, change }: SettingsFields & { timeZone: string }) {
  return (
    <>
      <NumberField
        label="Log rows"
        unit="days"
        emptyMeans="absent"
        value={shown.retention_days}
        error={problems.retention_days}
        onChange={(days) => change('retention_days', days ?? '')}
      />
      <NumberField
        label="Prompts and answers"
        unit="days"
        emptyMeans="absent"
        value={shown.body_retention_days}
        error={problems.body_retention_days}
        onChange={(days) => change('body_retention_days', days ?? '')}
      />
      <NumberField
        label="Usage figures"
        unit="days"
        emptyMeans="absent"
        value={shown.usage_retention_days}
        error={problems.usage_retention_days}
        onChange={(days) => change('usage_retention_days', days ?? '')}
      />
      <RetentionNotice
        rowDays={Number(shown.retention_days)}
        bodyDays={Number(shown.body_retention_days)}
        timeZone={timeZone}
        isValid={problems.retention_days === undefined && problems.body_retention_days === undefined}
      />
    </>
  );
}
