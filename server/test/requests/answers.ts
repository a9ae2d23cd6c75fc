export interface WireError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export interface WireCompletion {
  id: string;
  model: string;
  choices: { index: number; message: { content: string | null }; finish_reason: string }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export async function readError(answer: Response): Promise<WireError> {
  // safe because the expectations fail for any other body
  return (JSON.parse(await answer.text()) as { error: WireError }).error;
}

export async function readCompletion(answer: Response): Promise<WireCompletion> {
  // safe because the expectations fail for any other body
  return JSON.parse(await answer.text()) as WireCompletion;
}

export async function readEvents(answer: Response): Promise<string[]> {
  const events = (await answer.text()).split('\n\n').filter((event) => event !== '');
  return events.map((event) => event.replace(/^data: /, ''));
}
