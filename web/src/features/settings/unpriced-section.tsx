import type { TenantSettings } from '@sluice/contract';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { SettingsSection } from './section.tsx';
import type { SettingsFields } from './use-settings-form.ts';

const rules = [
  { value: 'refuse', label: 'Refuse them' },
  { value: 'allow', label: 'Allow them without counting their cost' },
  { value: 'fallback', label: 'Count them at a fallback price' },
] satisfies { value: TenantSettings['unpriced_models']; label: string }[];

const rates = [
  ['input', 'Input'],
  ['output', 'Output'],
] as const;

/** Settings for models without a price: whether they are allowed, and the fallback price. */
export function UnpricedSection({ shown, problems, change }: SettingsFields) {
  const price = typeof shown.fallback_price === 'string' ? null : shown.fallback_price;
  const hasFallback = shown.unpriced_models === 'fallback';
  return (
    <SettingsSection
      title="Models without a price"
      text={`Applies to requests that a budget in dollars limits.${
        hasFallback ? ' The fallback price below is used at your own providers only.' : ''
      }`}
    >
      <SelectField
        label="Requests to models without a price"
        options={rules}
        value={shown.unpriced_models}
        error={problems.unpriced_models}
        onChange={(rule) => {
          change('unpriced_models', rule);
        }}
      />
      {hasFallback &&
        rates.map(([rate, label]) => (
          <NumberField
            key={rate}
            label={`${label}, per million tokens`}
            emptyMeans="absent"
            isMoney
            value={price?.[rate]}
            error={problems.fallback_price}
            onChange={(amount) =>
              change('fallback_price', { input: 0, output: 0, ...price, [rate]: Number(amount ?? 0) })
            }
          />
        ))}
    </SettingsSection>
  );
}
