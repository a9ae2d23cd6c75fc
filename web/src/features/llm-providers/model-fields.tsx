import { Button } from '@mantine/core';
import type { ModelPricing } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatRate } from '#lib/format-money.ts';
import { formatCount, formatPercentage } from '#lib/format-number.ts';
import styles from './model-fields.module.css';
import pricingPanelStyles from './pricing-panel.module.css';
import { mergeNames, type ProviderFormState, type ProviderKind } from './provider-form.ts';
import { pricingQuery } from './queries.ts';

export function ModelFields({ form, kind }: { form: ProviderFormState; kind: ProviderKind }) {
  const { values, bind, setValue } = form;
  const { available_models: available, enabled_models: enabled, default_model } = values;
  const enable = (models: string[]) => {
    setValue('enabled_models', models);
    if (!models.includes(default_model)) setValue('default_model', '');
  };
  return (
    <>
      <ChecklistField
        label="Enabled models"
        options={available}
        emptyText={`${kind === 'managed' ? 'Load the models' : 'Test the connection to find the models'}, or add them by name.`}
        {...bind('enabled_models')}
        onChange={enable}
      />
      <ModelByName
        onAdd={(name) => {
          setValue('available_models', mergeNames(available, [name]));
          enable(mergeNames(enabled, [name]));
        }}
      />
      <SelectField
        label="Default model"
        placeholder="No default model"
        options={enabled.map((model) => ({ value: model, label: model }))}
        {...bind('default_model')}
      />
    </>
  );
}

/** Needed for self-hosted servers, custom deployments and new models. */
function ModelByName({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const add = () => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className={styles.byName}>
      <TextField
        label="Add a model by name"
        placeholder="model-name"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Prevents Enter from submitting the surrounding form.
          event.preventDefault();
          add();
        }}
      />
      <Button variant="default" disabled={name.trim() === ''} onClick={add}>
        Add Model
      </Button>
    </div>
  );
}

interface PricingPanelProps {
  /** Registry key. Empty if no vendor is selected. */
  vendor: string;
  models: readonly string[];
}

export function PricingPanel({ vendor, models }: PricingPanelProps) {
  const answer = useQuery({ ...pricingQuery(vendor), enabled: vendor !== '' });
  const { data } = answer;
  const failure = describeFailure(answer, 'Failed to load pricing');
  const listed = models.filter((model) => data?.models[model]);
  return (
    <section className={pricingPanelStyles.panel} aria-label="Pricing">
      <h3 className={pricingPanelStyles.title}>Pricing</h3>
      {vendor === '' && <p className="quiet">Select a provider type to see the prices of its models.</p>}
      {vendor !== '' && failure && <Failure {...failure} />}
      {vendor !== '' && !data && !failure && <SkeletonLines count={3} />}
      {vendor !== '' && data && (
        <>
          <p className="quiet">
            Provider prices with a markup of {formatPercentage(data.markup_percentage)}, for 1,000 tokens.
          </p>
          {listed.length === 0 ? (
            <p className="quiet">Load the models to see their prices.</p>
          ) : (
            <PriceTable models={listed} pricing={data.models} markup={data.markup_percentage} />
          )}
        </>
      )}
    </section>
  );
}

interface PriceTableProps {
  models: readonly string[];
  pricing: Readonly<Record<string, ModelPricing | null>>;
  markup: number;
}

function PriceTable({ models, pricing, markup }: PriceTableProps) {
  const charge = (rate: number) => formatRate(rate * (1 + markup / 100));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={pricingPanelStyles.scroll} tabIndex={0} aria-label="Prices">
      <table className={`num ${pricingPanelStyles.table}`}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">Max tokens</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => {
            const price = pricing[model];
            if (!price) return null;
            return (
              <tr key={model}>
                <th scope="row">
                  <code>{model}</code>
                </th>
                <td>{charge(price.input_per_1k)}</td>
                <td>{charge(price.output_per_1k)}</td>
                <td>{price.max_tokens === null ? '–' : formatCount(price.max_tokens)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
