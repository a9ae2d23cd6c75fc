import { Button } from '@mantine/core';
import { useState } from 'react';
import { ChecklistField } from '../../components/forms/checklist-field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import styles from './model-fields.module.css';
import { mergeNames, type ProviderFormState } from './provider-form.ts';

/** Enabled models of the instance, and the default one. */
export function ModelFields({ form }: { form: ProviderFormState }) {
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
        emptyText="Test the connection to find the models, or add them by name."
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

/** Adds a model by name: self-hosted servers, deployments, new models. */
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
          // Enter would submit the surrounding form.
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
