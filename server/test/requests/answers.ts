/** Error in OpenAI's format. */
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

/** Returns the error of a rejected request. */
export async function readError(answer: Response): Promise<WireError> {
  // safe because the expectations fail for a body of another shape
  return (JSON.parse(await answer.text()) as { error: WireError }).error;
}

export async function readCompletion(answer: Response): Promise<WireCompletion> {
  // safe because the expectations fail for a body of another shape
  return JSON.parse(await answer.text()) as WireCompletion;
}

/** Returns the data of each event of a stream. */
export async function readEvents(answer: Response): Promise<string[]> {
  const events = (await answer.text()).split('\n\n').filter((event) => event !== '');
  return events.map((event) => event.replace(/^data: /, ''));
}
