import type { PromptPrivacy } from '@sluice/contract';
import { NumberField } from '../../components/forms/number-field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { RetentionNotice } from './retention-notice.tsx';
import { SettingsSection } from './section.tsx';
import type { SettingsFields } from './use-settings-form.ts';

const modes = [
  { value: 'full', label: 'Everything' },
  { value: 'redacted', label: 'Without secrets and personal data' },
  { value: 'metadata', label: 'Figures only' },
] as const;

const explanations: Readonly<Record<PromptPrivacy, string>> = {
  full: 'Prompts and answers are kept as they are.',
  redacted:
    'Keys, tokens, passwords, e-mail addresses, phone numbers, cards and IBANs are replaced by marks such as [email].',
  metadata:
    'No prompt, answer or error text is kept, and models cannot be compared. Tokens, cost and intent are.',
};

/** Settings for prompt privacy and retention. */
export function PromptSections({ timeZone, ...fields }: SettingsFields & { timeZone: string }) {
  return (
    <>
      <SettingsSection
        title="Prompts and answers"
        text="What the log keeps of requests from now on. What it holds already stays until its days are over."
      >
        <PrivacyField {...fields} />
      </SettingsSection>
      <SettingsSection
        title="Retention"
        text="Comparisons go with prompts and answers. Usage figures are those of Analytics and reports. Credit transactions are kept for good."
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
      label="What is kept"
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
        suffix=" days"
        emptyMeans="absent"
        value={shown.retention_days}
        error={problems.retention_days}
        onChange={(days) => change('retention_days', days ?? '')}
      />
      <NumberField
        label="Prompts and answers"
        suffix=" days"
        emptyMeans="absent"
        value={shown.body_retention_days}
        error={problems.body_retention_days}
        onChange={(days) => change('body_retention_days', days ?? '')}
      />
      <NumberField
        label="Usage figures"
        suffix=" days"
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
