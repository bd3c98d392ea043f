interface Form {
  readonly family: string;
  readonly text: string;
  /** Default: one of `find` with "tea time" and 3. */
  readonly calls?: readonly string[];
}

const ARGS = '{"q": "tea time", "limit": 3}';
const JSON_CALL = `{"name": "find", "arguments": ${ARGS}}`;
const PARAMETERS = `{"name": "find", "parameters": ${ARGS}}`;
const FIND = 'find {"q":"tea time","limit":3}';
const SECOND = 'find {"q":"rain"}';
const fence = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\``;

/** One call in the forms of many model families, as they write it if no server parses it. */
export const FORMS: readonly Form[] = [
  { family: 'Hermes, Qwen', text: `<tool_call>\n${JSON_CALL}\n</tool_call>` },
  {
    family: 'Hermes, twice',
    text: `<tool_call>${JSON_CALL}</tool_call>\n<tool_call>{"name": "find", "arguments": {"q": "rain"}}</tool_call>`,
    calls: [FIND, SECOND],
  },
  { family: 'Llama 3.1', text: `<|python_tag|>${PARAMETERS}<|eom_id|>` },
  {
    family: 'Llama 3.1, two in a row',
    text: `<|python_tag|>${PARAMETERS}; {"name": "find", "parameters": {"q": "rain"}}`,
    calls: [FIND, SECOND],
  },
  { family: 'Llama 3.1, built in', text: '<|python_tag|>find.call(q="tea time", limit=3)<|eom_id|>' },
  { family: 'Llama 3.1, bare', text: PARAMETERS },
  { family: 'Llama 3.1, bare with a type', text: `{"type": "function", "name": "find", "parameters": ${ARGS}}<|eot_id|>` },
  { family: 'Llama 3.1, its own tag', text: `<function=find>${ARGS}</function>` },
  { family: 'Llama 4', text: '<|python_start|>[find(q="tea time", limit=3), find(q=\'rain\')]<|python_end|>', calls: [FIND, SECOND] },
  { family: 'Mistral', text: `[TOOL_CALLS][${JSON_CALL}]` },
  { family: 'Mistral with a blank', text: `[TOOL_CALLS] [${JSON_CALL}]</s>` },
  { family: 'Mistral 3.1', text: `[TOOL_CALLS]find[ARGS]${ARGS}` },
  {
    family: 'Mistral 3.1 with an id',
    text: `[TOOL_CALLS]find[CALL_ID]AbC123xyZ[ARGS]${ARGS}[TOOL_CALLS]find[CALL_ID]AbC123xyY[ARGS]{"q": "rain"}`,
    calls: [FIND, SECOND],
  },
  { family: 'Mistral without a mark between', text: `[TOOL_CALLS]find${ARGS}` },
  {
    family: 'DeepSeek V3',
    text: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n${fence('json', ARGS)}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n${fence('json', '{"q": "rain"}')}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
    calls: [FIND, SECOND],
  },
  {
    family: 'DeepSeek V3.1',
    text: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>${ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  {
    family: 'DeepSeek V3.2',
    text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find">\n<｜DSML｜parameter name="q" string="true">tea time</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  },
  { family: 'Gemma, code', text: fence('tool_code', 'find(q="tea time", limit=3)') },
  { family: 'Gemma, printed code', text: fence('tool_code', 'print(default_api.find(q="tea time", limit=3))') },
  { family: 'Gemma, a fence of JSON', text: fence('json', PARAMETERS) },
  {
    family: 'Gemma, a fence of JSON that is a list',
    text: fence('json', `[${PARAMETERS}, {"name": "find", "parameters": {"q": "rain"}}]`),
    calls: [FIND, SECOND],
  },
  {
    family: 'FunctionGemma',
    text: '<start_function_call>call:find{limit:3,q:<escape>tea time<escape>}<end_function_call>',
    calls: ['find {"limit":3,"q":"tea time"}'],
  },
  { family: 'Gemma 4', text: '<|tool_call>call:find{q:<|"|>tea time<|"|>,limit:3}<tool_call|>' },
  {
    family: 'GLM',
    text: '<tool_call>find\n<arg_key>q</arg_key>\n<arg_value>tea time</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  },
  { family: 'GLM, no arguments', text: '<tool_call>list_all\n</tool_call>', calls: ['list_all {}'] },
  {
    family: 'Qwen3-Coder',
    text: '<tool_call>\n<function=find>\n<parameter=q>\ntea time\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>',
  },
  {
    family: 'Qwen3-Coder without its outer tag',
    text: '<function=find>\n<parameter=q>\ntea time\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>',
  },
  {
    family: 'Seed-OSS',
    text: '<seed:tool_call>\n<function=find>\n<parameter=q>tea time</parameter>\n<parameter=limit>3</parameter>\n</function>\n</seed:tool_call>',
  },
  {
    family: 'MiniMax M2',
    text: '<minimax:tool_call>\n<invoke name="find">\n<parameter name="q">tea time</parameter>\n<parameter name="limit">3</parameter>\n</invoke>\n</minimax:tool_call>',
  },
  {
    family: 'Claude',
    text: '<function_calls>\n<invoke name="find">\n<parameter name="q">tea time</parameter>\n<parameter name="limit">3</parameter>\n</invoke>\n</function_calls>',
  },
  {
    family: 'Kimi K2',
    text: `<|tool_calls_section_begin|><|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
  },
  { family: 'gpt-oss', text: `<|channel|>commentary to=functions.find <|constrain|>json<|message|>${ARGS}<|call|>` },
  { family: 'Granite', text: `<|tool_call|>[${JSON_CALL}]` },
  { family: 'Granite 20B', text: `<function_call> ${JSON_CALL}` },
  { family: 'Phi-4', text: `<|tool_call|>[{"type": "function", "function": {"name": "find", "arguments": ${ARGS}}}]<|/tool_call|>` },
  { family: 'InternLM', text: `<|action_start|><|plugin|>\n${PARAMETERS}<|action_end|>` },
  { family: 'Command R', text: `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find", "parameters": ${ARGS}}]<|END_ACTION|>` },
  { family: 'Jamba, Hunyuan', text: `<tool_calls>[${JSON_CALL}]</tool_calls>` },
  { family: 'Nemotron', text: `<TOOLCALL>[${JSON_CALL}]</TOOLCALL>` },
  { family: 'LFM2', text: '<|tool_call_start|>[find(q="tea time", limit=3)]<|tool_call_end|>' },
  {
    family: 'Step 3',
    text: '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find"><steptml:parameter name="q">tea time</steptml:parameter><steptml:parameter name="limit">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  { family: 'Olmo 3', text: '<function_calls>\nfind(q="tea time", limit=3)\n</function_calls>' },
  { family: 'Longcat', text: `<longcat_tool_call>${JSON_CALL}</longcat_tool_call>` },
  { family: 'with a namespace', text: `<tool_call>{"name": "functions.find", "arguments": ${ARGS}}</tool_call>` },
  { family: 'with its arguments as text', text: `<|python_tag|>{"name": "find", "parameters": ${JSON.stringify(ARGS)}}` },
];
