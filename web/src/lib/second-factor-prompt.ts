const storageKey = 'sluice.second-factor-prompt';

/** Requests the second-factor prompt in this tab. Called after a sign-in with a form. */
export function askForSecondFactor(): void {
  sessionStorage.setItem(storageKey, 'due');
}

export const isSecondFactorPromptDue = (): boolean => sessionStorage.getItem(storageKey) === 'due';

export function dismissSecondFactorPrompt(): void {
  sessionStorage.removeItem(storageKey);
}
