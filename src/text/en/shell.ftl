# Words of the frame, the inputs and the dialogs.

app-name = Meshwright
not-available = N/A
auto = auto
close = Close
copy = Copy
copied = Copied
copy-failed = The browser did not allow it; select the text and copy it
cancel = Cancel
stopped = Stopped
compute = Compute
download = Download

# Units that are words
unit-microseconds = { $value } µs
unit-milliseconds = { $value } ms
unit-seconds = { $value } s
unit-minutes = { $value } min
unit-hours = { $value } h
unit-days = { $value } days

# Panes
panes = Panes
pane-inputs = Inputs
pane-picture = Picture
pane-answer = Answer
pane-details = Details
resize-inputs = Width of the inputs
resize-answer = Width of the answer
resize-drawer = Height of the details
drawer-empty = Details appear here with the answer
tab-candidates = Candidates
tab-memory = Memory
tab-time = Time
tab-communication = Communication
tab-platforms = Platforms
tab-launch = Launch files
progress = { $done } of { $total } layouts

# Top bar
project-name = Project name
undo = Undo
redo = Redo
undo-field = Undo: { $field }
redo-field = Redo: { $field }
examples = Examples
example-llama2-70b = Llama 2 70B, full fine-tuning
example-llama2-70b-about = 2 × 8 A100 80 GB, NVSwitch, InfiniBand
example-llama2-7b = Llama 2 7B, full fine-tuning
example-llama2-7b-about = 8 × RTX 4090, PCIe through the host
example-deepseek-v3 = DeepSeek-V3, pre-training
example-deepseek-v3-about = 256 × 8 H800, NVSwitch, InfiniBand
previous-project = Project before the link
open-project = Open a project or config.json…
save-project = Save the project as a file
share = Share as a link…
theme-system = Theme: as the system
theme-light = Theme: light
theme-dark = Theme: dark
saving-saved = Saved in this browser
saving-pending = Saving
saving-failed = Not saved
saving-download = Download now

# Sharing
share-title = Share as a link
share-about = The link holds all inputs and opens in the reader’s own browser; nothing is uploaded
share-long = The link is long, and some programs cut long links; a file is safer
share-link = Link
share-file = Save as a file instead

# Messages
notice-link-opened = Opened a copy from the link; undo brings your project back
notice-recovered = The page had stopped; your project is back
recovery-title = The page stopped because of a fault in it
recovery-saved = Your project is kept in this browser
recovery-reload = Reload and go on
download-failed = The browser refused the download; allow downloads for this page
file-unreadable = { $path } cannot be read; check that it still exists
at-line = line { $line }: { $cause }
and-more = { $cause } (and { $count } more { $n ->
    [one] problem
   *[other] problems
})
engine-crashed = The engine stopped while computing this; it runs again, change an input to retry
engine-silent = The engine gave no answer for 10 s and was restarted; change an input to retry
engine-garbled = The engine’s message could not be read; it was restarted
engine-unwritable = The inputs could not be handed to the engine
engine-dead = The engine does not start; reload the page
engine-other-build = The page was updated meanwhile; reload it

# Sections
section-model = Model
section-job = Job
section-cluster = Cluster
section-strategy = Strategy
section-price = Price

# Fields of the document, by their path
command-document = The whole project
command-name = Project name
command-model = Model
command-model-preset = Model
command-model-config = Model file
command-model-config-name = Name of the model file
command-job = Job
command-job-kind = Kind of job
command-job-sequence = Sequence length
command-job-global-batch = Global batch
command-job-precision = Precision
command-job-optimizer = Optimizer
command-job-adapter-rank = Adapter rank
command-job-adapter-base = Frozen base
command-job-adapter-dora = DoRA magnitudes
command-job-tokens = Training tokens
command-cluster = Cluster
command-cluster-gpus = GPUs in total
command-cluster-accelerator = GPU
command-cluster-nodes = Nodes
command-cluster-gpus-per-node = GPUs per node
command-cluster-intra = Links in a node
command-cluster-nics-per-node = NICs per node
command-cluster-nic-gbps = Speed of a NIC
command-cluster-fabric = Network
command-cluster-rail-optimized = Rail-optimised
command-cluster-spine = Spine tier
command-cluster-spine-nodes-per-segment = Nodes per segment
command-cluster-spine-oversubscription = Oversubscription
command-cluster-host-memory-gib = Host memory
command-pins = All pins
command-pins-framework = Framework
command-pins-tp = TP
command-pins-pp = PP
command-pins-vpp = VPP
command-pins-cp = CP
command-pins-ep = EP
command-pins-zero = Sharding over DP
command-pins-micro-batch = Micro-batch
command-pins-recompute = Recompute
command-pins-offload = Offload
command-pins-activation-offload = Activation offload
command-price = Price
command-price-currency = Currency
command-price-term-months = Commitment
command-price-platforms = Platforms

# Model
model-nothing = No preset has this name; drop a config.json instead
model-or = Or drop, paste or
model-open = open a config.json
model-about = { $family }, { $layers } layers, hidden { $hidden }, { $total } parameters
model-about-experts = { $family }, { $layers } layers, hidden { $hidden }, { $total } parameters, { $active } active
model-assumed = Not stated, taken: { $fields }
model-own-open = Paste a config or fill in a model of your own…
model-own = A model of your own
model-own-name = Own model
model-pasted = A config.json, or Megatron arguments
model-use-text = Use this text
model-form = Or fill in the shape
model-form-about = Filled in from the present model, or from a text that could not be counted. RMS norms, rotary positions, no biases but those below; empty fields are left out
model-use-form = Use this shape
model-field-num-layers = Layers
model-field-hidden-size = Hidden size
model-field-num-attention-heads = Attention heads
model-field-num-query-groups = Key-value heads
model-field-kv-channels = Head size
model-field-ffn-hidden-size = Feed-forward width
model-field-padded-vocab-size = Vocabulary
model-field-max-position-embeddings = Context length
model-field-num-experts = Experts
model-field-moe-router-topk = Experts per token
model-field-moe-ffn-hidden-size = Expert width
model-field-moe-shared-expert-intermediate-size = Shared expert width
model-field-first-dense-layers = Dense layers first
model-field-q-lora-rank = Query rank (MLA)
model-field-kv-lora-rank = Key-value rank (MLA)
model-field-qk-head-dim = Head size without rotation (MLA)
model-field-qk-pos-emb-head-dim = Rotary head size (MLA)
model-field-v-head-dim = Value head size (MLA)
model-field-swiglu = Gated feed-forward
model-field-tied = Tied embeddings
model-field-add-qkv-bias = Bias of queries, keys and values
model-field-qk-layernorm = Norms of queries and keys

# Cluster
cluster-template = Machine
template-own = Custom
cluster-gpus = { $count } { $n ->
    [one] GPU
   *[other] GPUs
}
cluster-all-fields = All fields
accelerator-nothing = No GPU of the catalog has this name

# Strategy
strategy-all-auto = all automatic
strategy-free-all = Free all

# Price
term-on-demand = On demand
term-months = { $count } { $n ->
    [one] month
   *[other] months
}
platforms-hint = None chosen: the three platforms of the comparison and the three cheapest others

# Choices
choice-kind-pretrain = Pre-train
choice-kind-full-fine-tune = Fine-tune
choice-kind-lora = LoRA
choice-precision-bf16-mixed = bf16 mixed
choice-precision-fp8-mixed = fp8 mixed
choice-precision-pure-bf16 = bf16 only
choice-optimizer-adamw = AdamW
choice-optimizer-adamw-8bit = AdamW, 8-bit
choice-optimizer-adamw-bf16 = AdamW, bf16 moments
choice-optimizer-sgd = SGD without momentum

choice-base-16-bit = 16-bit
choice-base-8-bit = 8-bit
choice-base-nf4 = 4-bit NF4 (QLoRA)
choice-base-gptq4 = 4-bit GPTQ
choice-intra-nvswitch = NVSwitch
choice-intra-nvlink-pairs = NVLink pairs
choice-intra-mesh = Full mesh
choice-intra-pcie-peer-to-peer = PCIe, peer to peer
choice-intra-pcie-through-host = PCIe through the host
choice-fabric-infiniband = InfiniBand
choice-fabric-roce = RoCE
choice-fabric-efa = EFA
choice-fabric-tcpx = GPUDirect-TCPX
choice-fabric-ethernet = Ethernet
choice-framework-megatron-core = Megatron-Core
choice-framework-deepspeed = DeepSpeed
choice-framework-torchtitan = torchtitan (FSDP2)
choice-framework-megatron-legacy = Megatron-LM, 2021–2023
choice-framework-megatron-deepspeed = Megatron-DeepSpeed
choice-framework-fsdp-eager = FSDP, not compiled
choice-framework-hugging-face = Hugging Face Trainer
choice-framework-fused-cuda = Fused CUDA
choice-zero-none = None
choice-zero-optimizer = ZeRO-1, optimizer
choice-zero-gradients = ZeRO-2, + gradients
choice-zero-weights = ZeRO-3, + weights
choice-recompute-none = None
choice-recompute-selective = Selective
choice-recompute-layernorm = Norms
choice-recompute-mlp = Feed-forward
choice-recompute-layernorm-mlp = Norms and feed-forward
choice-recompute-full = Full
choice-offload-none = None
choice-offload-optimizer = Optimizer to the host
choice-offload-optimizer-and-weights = Optimizer and weights
choice-offload-optimizer-nvme = Optimizer, to NVMe
choice-offload-optimizer-and-weights-nvme = Optimizer and weights, to NVMe
choice-currency-cny = ¥ CNY
choice-currency-usd = $ USD

# Values out of bounds
field-range = A number from { $low } to { $high }
field-range-or-auto = A number from { $low } to { $high }, or empty for auto
problem-numbers = { $field } is { $value }; use a number from { $low } to { $high }
problem-characters = { $field } has { $value } characters; use { $low } to { $high }
problem-entries = { $field } has { $value } entries; use at most { $high }
problem-id = { $field } is { $value }; use lower-case letters, digits, dots, dashes and underscores
problem-printable = { $field } is { $value }; remove the control characters

# Project files
file-too-large = { $bytes } bytes are too many, at most { $limit } are read; check that it is a project file
file-too-deep = { $path } is nested deeper than { $limit } levels; check that it is a project file
file-too-many = More than { $limit } values; check that it is a project file
file-alias = { $path }: anchors and aliases are not read; write the value itself
file-syntax = Not YAML: { $detail }; check the indentation there
file-not-a-project = Not a project file; its first line is “meshwright: 1”
file-version = Version { $found } is not known, up to { $newest } is; update the page
file-unknown-key = { $path } is not known; remove it
file-unknown-key-nearest = { $path } is not known; did you mean { $nearest }?
file-duplicate-key = { $path } stands twice; keep one
file-missing = { $path } is missing; add it
file-wrong-type = { $path } is { $found }; write { $expected }
file-unknown-word = { $path } is { $found }; use one of { $choices }
file-one-of = { $path } needs exactly one of { $keys }
expected-section = keys with values below it
expected-list = a list
expected-text = a text
expected-whole-number = a whole number
expected-number = a number such as 128, 2.5, 1e9 or 14.8T
expected-object = an object
expected-flag = true or false
expected-list-of-texts = a list of texts
expected-true-or-false = true or false

# Share links
link-not-a-link = This is no link of this page; check that it is whole
link-version = The link is of version { $found }, made by a newer page; reload this one
link-damaged = The link is cut off or changed; copy it again from its source
link-too-large = The link holds more than { $limit } bytes; ask for the file instead

# Model files
config-too-long = { $bytes } bytes are too many, at most { $most } are read; take the config.json alone
config-too-deep = Line { $line }, column { $column }: nested deeper than { $most } levels; take the config.json alone
config-syntax = Line { $line }, column { $column }: { $cause }; check the JSON there
config-cause-end = the text ends too early
config-cause-trailing-comma = a comma before the closing bracket
config-cause-trailing-text = more text after the end
config-cause-value = a value is expected
config-cause-key = a key in double quotes is expected
config-cause-colon = a colon is expected after the key
config-cause-comma = a comma or a closing bracket is expected
config-cause-control = a line end or control character inside of a text
config-cause-escape = a backslash sequence that JSON does not have
config-cause-number = a number that JSON does not have
config-cause-other = no JSON
config-other-file = This is { $kind }; take the model’s own config.json
config-kind-tokenizer = a tokenizer’s file
config-kind-generation = the settings of text generation
config-kind-adapter = an adapter’s config, which has no layers of its own
config-kind-processor = the settings of an image or sound processor
config-kind-weight-index = the index of the weight files
config-kind-deepspeed = a DeepSpeed config
config-kind-diffusers = a config of an image model
config-kind-readme = a text for readers
config-kind-web-page = a web page
config-kind-lfs-pointer = a Git LFS pointer without its file
config-missing-field = Field { $field } is missing; take the complete file
config-wrong-type = Field { $field } must be { $expected } but is { $found }
config-out-of-bounds = Field { $field } is { $value }; use { $least } to { $most }
config-not-divisible = Field { $field } is { $value }, no multiple of { $other } = { $limit }
config-too-large = Field { $field } is { $value }, more than { $other } = { $limit }
config-unsupported-family = Models of type { $model-type } are not supported; fill in its shape by hand
config-unsupported-family-nearest = Models of type { $model-type } are not supported; did you mean { $nearest }?
config-unsupported-presence = Models of type { $model-type } with { $field } = { $value } cannot be expressed
config-unsupported-field = Models of type { $model-type } with { $field } = { $value } cannot be expressed; supported is { $supported }

# Launch files
launch-target = Launcher
launch-files = Files
launch-writing = Writing the files
launch-none = No launcher can run this plan
launch-cannot = { $name } (cannot)
launch-zip = All as zip
refusal-unknown-target = No launcher is called { $name }; known are { $known }
refusal-no-plan = There is no valid plan to write down; see the answer
refusal-cannot-express = This launcher cannot express { $knob } = { $value }; free it or choose another launcher
refusal-nothing-fits = No layout that this launcher can express fits; { $knob } is the limit
inputs-unknown = { $field }: { $name } is not in the catalog; choose one of the list
inputs-unknown-nearest = { $field }: { $name } is not in the catalog; did you mean { $nearest }?
target-megatron-slurm = Megatron-LM, Slurm
target-deepspeed = DeepSpeed
target-pytorchjob = PyTorchJob, Kubernetes

# Ready-made clusters
template-pcie-4090-8 = 8 × RTX 4090, PCIe
template-pcie-l40s-8 = 8 × L40S, PCIe
template-pcie-h100-8 = 8 × H100 PCIe, NVLink pairs
template-dgx-a100-80g = 8 × A100 80 GB, NVSwitch
template-dgx-h100 = 8 × H100, NVSwitch
template-hgx-a800-8 = 8 × A800, NVSwitch
template-hgx-h800-8 = 8 × H800, NVSwitch
template-dgx-h200 = 8 × H200, NVSwitch
template-hgx-h20-8 = 8 × H20, NVSwitch
template-dgx-b200 = 8 × B200, NVSwitch
template-mi300x-8 = 8 × MI300X, full mesh
template-gb200-nvl72 = GB200 NVL72 rack

# Providers of the price lists
provider-aws = AWS
provider-dataoorts = Dataoorts
provider-runpod = RunPod
provider-gcp = Google Cloud
provider-verda = Verda
provider-vast-ai = Vast.ai
provider-novita = Novita AI
provider-oblivus-cloud = Oblivus Cloud
provider-novonimbus = Novonimbus
provider-lambda = Lambda
provider-oci = Oracle Cloud
provider-paperspace = Paperspace
provider-jarvis-labs = Jarvis Labs
provider-akash = Akash
provider-nebius = Nebius
provider-azure = Azure
provider-spheron = Spheron
provider-modal = Modal
provider-hyperstack = Hyperstack
provider-thunder-compute = Thunder Compute
provider-tensordock = TensorDock
provider-ovhcloud = OVHcloud
provider-coreweave = CoreWeave
provider-fluidstack = Fluidstack
provider-vultr = Vultr
provider-qubrid = Qubrid
provider-digitalocean = DigitalOcean
provider-cudo-compute = CUDO Compute
provider-salad = Salad
provider-packet-ai = Packet.ai
provider-latitudesh = Latitude.sh
provider-gpuhub = GPUHub
provider-exoscale = Exoscale
provider-genesis-cloud = Genesis Cloud
provider-cr8dl = CR8DL
provider-alibaba = Alibaba Cloud
provider-autodl = AutoDL
provider-ctyun = China Telecom Cloud
provider-gongji = Gongji
provider-gpushare = Gpushare
provider-shengsuan = Shengsuan
provider-tencent = Tencent Cloud
provider-volcengine = Volcengine
provider-zhixingyun = Zhixingyun
catalog-source = Source: { $source }; confidence: { $confidence }
preset-source = Source: { $source }; checked with: { $check }
