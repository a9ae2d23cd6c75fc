export type CallerId = 'anthropic-messages' | 'gemini' | 'openai-chat' | 'openai-responses';

const schema = { type: 'object', properties: { file_id: { type: 'string' } } };
const png = 'data:image/png;base64,iVBORw0KGgo=';
const tools = { read: { name: 'read', description: 'Reads a file.', strict: true, parameters: schema } };
const place = { type: 'approximate', city: 'Bern', country: 'CH', region: 'BE', timezone: 'Europe/Zurich' };

/** All content is inline. */
export const fullRequests: Readonly<Record<CallerId, object>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      },
      {
        role: 'user',
        name: 'ann',
        content: [
          {
            type: 'text',
            text: 'Hello',
            prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
          },
          { type: 'image_url', image_url: { url: png, detail: 'original' } },
          { type: 'image_url', image_url: 'https://example.com/a.png' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
          { type: 'document_url', document_url: 'https://example.com/a.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'e', id: 'r', index: 0 }],
        tool_calls: [
          {
            id: 'c',
            type: 'function',
            function: { name: 'read', arguments: '{}' },
            extra_content: { google: { thought_signature: 's' } },
          },
        ],
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com', title: 'A' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'a' }] },
    ],
    tools: [{ type: 'function', function: tools.read }],
    tool_choice: { type: 'function', function: { name: 'read' } },
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    stream_options: { include_usage: true },
    audio: { voice: 'alloy', format: 'mp3' },
    prediction: { type: 'content', content: [{ type: 'text', text: 'a' }] },
    web_search_options: {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: place },
    },
    search_parameters: { mode: 'auto', sources: [{ type: 'web', allowed_websites: ['example.com'] }] },
    provider: { order: ['a'], allow_fallbacks: false },
    plugins: [{ id: 'web', max_results: 3, pdf: { engine: 'native' } }],
    reasoning: { effort: 'low' },
    thinking: { type: 'enabled', budget_tokens: 100 },
    prompt_cache_options: { mode: 'explicit' },
    metadata: { team: 'a' },
    store: false,
    prompt_cache_key: 'k',
  },
  'openai-responses': {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: 'Hello',
            prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
          },
          { type: 'input_image', image_url: png, detail: 'auto' },
          { type: 'input_file', file_data: 'data:text/plain;base64,YQ==', filename: 'a.txt' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
        ],
      },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'e' },
      {
        type: 'message',
        id: 'msg',
        status: 'completed',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'a',
            annotations: [{ type: 'url_citation', url: 'https://example.com', title: 'A', start_index: 0 }],
            logprobs: [{ token: 'a', logprob: 0, bytes: [97], top_logprobs: [{ token: 'a', logprob: 0 }] }],
          },
        ],
      },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'a' } },
      {
        type: 'function_call',
        id: 'fc',
        call_id: 'c',
        name: 'read',
        arguments: '{}',
        async: true,
        caller: { type: 'direct' },
      },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: png }] },
      { type: 'custom_tool_call', call_id: 'd', name: 'patch', input: 'a' },
      { type: 'custom_tool_call_output', call_id: 'd', output: 'a' },
      { type: 'local_shell_call', call_id: 'e', action: { type: 'exec', command: ['ls'], env: {} } },
      { type: 'local_shell_call_output', call_id: 'e', output: 'a' },
      { type: 'shell_call', call_id: 'f', action: { commands: ['ls'] } },
      {
        type: 'shell_call_output',
        call_id: 'f',
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
      { type: 'apply_patch_call', call_id: 'g', operation: { type: 'update_file', path: 'a', diff: 'b' } },
      { type: 'apply_patch_call_output', call_id: 'g', status: 'completed', output: 'a' },
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'a' }] },
      { type: 'configuration_update', reasoning: { effort: 'low' } },
      { type: 'agent_message', author: 'a', recipient: 'b', content: [{ type: 'input_text', text: 'c' }] },
      { type: 'tool_search_call', execution: 'client', call_id: 'h', arguments: { query: 'a' } },
      {
        type: 'tool_search_output',
        execution: 'client',
        call_id: 'h',
        tools: [{ type: 'function', name: 'a' }],
      },
    ],
    tools: [
      {
        type: 'function',
        ...tools.read,
        async: true,
        allowed_callers: ['direct'],
        output_schema: schema,
      },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'a' } },
      { type: 'web_search', filters: { allowed_domains: ['example.com'] }, user_location: place },
      { type: 'code_interpreter', container: { type: 'auto', network_policy: { type: 'disabled' } } },
      {
        type: 'shell',
        environment: { type: 'local', skills: [{ name: 'a', description: 'b', path: 'c' }] },
      },
      { type: 'image_generation', input_image_mask: { image_url: png }, quality: 'low' },
      { type: 'mcp', server_label: 'a', server_url: 'https://example.com', require_approval: { never: {} } },
      { type: 'namespace', name: 'a', description: 'b', tools: [{ type: 'function', ...tools.read }] },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] },
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema } },
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    context_management: [{ type: 'compaction', compact_threshold: 1000 }],
    stream_options: { include_obfuscation: false },
    metadata: { team: 'a' },
    store: false,
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'Hello',
            citations: [{ type: 'char_location', cited_text: 'a', document_index: 0 }],
          },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          {
            type: 'image',
            source: { type: 'url', url: 'https://example.com/a.png' },
            transformations: { oversized_image: 'downsize' },
          },
          {
            type: 'document',
            source: { type: 'content', content: [{ type: 'text', text: 'a' }] },
            title: 'a',
            citations: { enabled: true },
          },
          { type: 'search_result', source: 'a', title: 'b', content: [{ type: 'text', text: 'c' }] },
        ],
      },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be brief.' },
          { type: 'tool_addition', tool: { type: 'tool_reference', name: 'read' } },
          {
            type: 'tool_addition',
            tool: { type: 'tool_definition', definition: { name: 'write', input_schema: schema } },
          },
          { type: 'tool_removal', tool: { type: 'tool_reference', name: 'write' } },
        ],
        output_config: { effort: 'low' },
        clear_at: 'never',
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'redacted_thinking', data: 'e' },
          { type: 'tool_use', id: 't', name: 'read', input: { file_id: 'a' }, caller: { type: 'direct' } },
          { type: 'server_tool_use', id: 'u', name: 'web_search', input: { query: 'a' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'u',
            content: [
              { type: 'web_search_result', url: 'https://example.com', title: 'a', encrypted_content: 'e' },
            ],
          },
          {
            type: 'web_fetch_tool_result',
            tool_use_id: 'u',
            content: {
              type: 'web_fetch_result',
              url: 'https://example.com',
              content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } },
            },
          },
          {
            type: 'code_execution_tool_result',
            tool_use_id: 'u',
            content: { type: 'code_execution_result', stdout: 'a', stderr: '', return_code: 0, content: [] },
          },
          {
            type: 'compaction',
            content: 'a',
            signature: 's',
            tool_changes: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'read' } }],
          },
          { type: 'tool_use', id: 'v', name: 'list_tabs', input: {}, toolset_name: 'browser' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a' }] },
          {
            type: 'tool_result',
            tool_use_id: 'v',
            toolset_name: 'browser',
            content: [
              {
                type: 'browser_state',
                tabs: [{ tab_id: 'a', title: 'b', url: 'https://example.com', active: true }],
                state_changes: [{ type: 'tab_opened', tab_id: 'a' }],
              },
            ],
          },
        ],
      },
    ],
    tools: [
      {
        name: 'read',
        description: 'Reads a file.',
        input_schema: schema,
        cache_control: { type: 'ephemeral' },
      },
      { type: 'web_search_20250305', name: 'web_search', user_location: place, max_uses: 1 },
      { type: 'mcp_toolset', mcp_server_name: 'a', default_config: { enabled: true } },
      { type: 'browser_toolset_20260801', configs: { find: { enabled: false } } },
    ],
    tool_choice: { type: 'auto' },
    thinking: {
      type: 'enabled',
      budget_tokens: 1024,
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    },
    output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    context_management: {
      edits: [{ type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 1 }, keep: 'all' }],
    },
    mcp_servers: [
      { type: 'url', name: 'a', url: 'https://example.com', tool_configuration: { enabled: true } },
    ],
    metadata: { user_id: 'u' },
  },
  gemini: {
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Hello' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' }, mediaResolution: { level: 'LOW' } },
          {
            file_data: { mime_type: 'video/mp4', file_uri: 'https://www.youtube.com/watch?v=a' },
            videoMetadata: { fps: 1 },
          },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true, thoughtSignature: 's' },
          { functionCall: { name: 'read', args: { file_id: 'a' } } },
          { executableCode: { language: 'PYTHON', code: '1' } },
          { codeExecutionResult: { outcome: 'OK', output: '1' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'read',
              response: { file_id: 'a' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
            },
          },
        ],
      },
    ],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      { functionDeclarations: [{ name: 'read', parameters: schema }] },
      { googleSearch: { timeRangeFilter: { startTime: 'a' } } },
      { codeExecution: {} },
      { urlContext: {} },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'AUTO' },
      retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
    },
    safetySettings: [{ category: 'a', threshold: 'b' }],
    generationConfig: {
      maxOutputTokens: 100,
      responseSchema: schema,
      thinkingConfig: { thinkingBudget: 100 },
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
    labels: { team: 'a' },
  },
};
