# 页面框架、输入与对话框的文字。

app-name = Meshwright
not-available = 无
auto = 自动
close = 关闭
copy = 复制
copied = 已复制
copy-failed = 浏览器未允许，请选中文字后复制
cancel = 取消
stopped = 已停止
compute = 计算
download = 下载

# Units that are words
unit-microseconds = { $value } µs
unit-milliseconds = { $value } ms
unit-seconds = { $value } s
unit-minutes = { $value } 分钟
unit-hours = { $value } 小时
unit-days = { $value } 天

# Panes
panes = 面板
pane-inputs = 输入
pane-picture = 拓扑
pane-answer = 结论
pane-details = 详情
resize-inputs = 输入栏宽度
resize-answer = 结论栏宽度
resize-drawer = 详情栏高度
drawer-empty = 得出结论后在此显示详情
tab-candidates = 候选方案
tab-memory = 显存
tab-time = 时间
tab-communication = 通信
tab-platforms = 平台
tab-launch = 启动文件
progress = 已算 { $done } / { $total } 种布局

# Top bar
project-name = 项目名称
undo = 撤销
redo = 重做
undo-field = 撤销：{ $field }
redo-field = 重做：{ $field }
examples = 示例
example-llama2-70b = Llama 2 70B 全参微调
example-llama2-70b-about = 2 × 8 A100 80 GB，NVSwitch，InfiniBand
example-llama2-7b = Llama 2 7B 全参微调
example-llama2-7b-about = 8 × RTX 4090，PCIe 经主机中转
example-deepseek-v3 = DeepSeek-V3 预训练
example-deepseek-v3-about = 256 × 8 H800，NVSwitch，InfiniBand
previous-project = 打开链接前的项目
open-project = 打开项目或 config.json…
save-project = 将项目存为文件
share = 以链接分享…
theme-system = 外观：跟随系统
theme-light = 外观：浅色
theme-dark = 外观：深色
saving-saved = 已存于本浏览器
saving-pending = 保存中
saving-failed = 未能保存
saving-download = 立即下载

# Sharing
share-title = 以链接分享
share-about = 链接包含全部输入，在对方的浏览器中打开，不上传任何内容
share-long = 链接较长，部分软件会截断；用文件更稳妥
share-link = 链接
share-file = 改为存成文件

# Messages
notice-link-opened = 已从链接打开副本；撤销即可回到原项目
notice-recovered = 页面曾意外停止，项目已恢复
recovery-title = 页面出现故障，已停止
recovery-saved = 项目已保存在本浏览器中
recovery-reload = 重新加载并继续
download-failed = 浏览器拒绝下载，请允许本页面下载
file-unreadable = 无法读取 { $path }，请确认文件仍然存在
at-line = 第 { $line } 行：{ $cause }
and-more = { $cause }（另有 { $count } 处问题）
engine-crashed = 计算引擎在此输入下停止，现已重启；修改任一输入即可重试
engine-silent = 计算引擎 10 s 无响应，已重启；修改任一输入即可重试
engine-garbled = 无法读取计算引擎的消息，已重启
engine-unwritable = 无法将输入交给计算引擎
engine-dead = 计算引擎无法启动，请刷新页面
engine-other-build = 页面已更新，请刷新

# Sections
section-model = 模型
section-job = 任务
section-cluster = 集群
section-strategy = 并行策略
section-price = 价格

# Fields of the document, by their path
command-document = 整个项目
command-name = 项目名称
command-model = 模型
command-model-preset = 模型
command-model-config = 模型文件
command-model-config-name = 模型文件名
command-job = 任务
command-job-kind = 任务类型
command-job-sequence = 序列长度
command-job-global-batch = 全局批大小
command-job-precision = 精度
command-job-optimizer = 优化器
command-job-adapter-rank = LoRA 秩
command-job-adapter-base = 冻结底座
command-job-adapter-dora = DoRA 幅值
command-job-tokens = 训练 token 数
command-cluster = 集群
command-cluster-gpus = GPU 总数
command-cluster-accelerator = GPU 型号
command-cluster-nodes = 节点数
command-cluster-gpus-per-node = 每节点 GPU
command-cluster-intra = 节点内互联
command-cluster-nics-per-node = 每节点网卡
command-cluster-nic-gbps = 网卡速率
command-cluster-fabric = 网络
command-cluster-rail-optimized = 多轨优化
command-cluster-spine = Spine 层
command-cluster-spine-nodes-per-segment = 每段节点数
command-cluster-spine-oversubscription = 收敛比
command-cluster-host-memory-gib = 主机内存
command-pins = 全部固定项
command-pins-framework = 框架
command-pins-tp = 张量 TP
command-pins-pp = 流水线 PP
command-pins-vpp = 虚拟级 VPP
command-pins-cp = 上下文 CP
command-pins-ep = 专家 EP
command-pins-zero = DP 分片
command-pins-micro-batch = 微批大小
command-pins-recompute = 重计算
command-pins-offload = 卸载
command-pins-activation-offload = 激活卸载
command-price = 价格
command-price-currency = 币种
command-price-term-months = 租期
command-price-platforms = 平台

# Model
model-nothing = 没有此名称的预设模型，可拖入 config.json
model-or = 或拖入、粘贴，或
model-open = 打开 config.json
model-about = { $family }，{ $layers } 层，隐藏维度 { $hidden }，参数 { $total }
model-about-experts = { $family }，{ $layers } 层，隐藏维度 { $hidden }，参数 { $total }，激活 { $active }
model-assumed = 未写明，按默认取：{ $fields }
model-own-open = 粘贴配置或填写自己的模型…
model-own = 自己的模型
model-own-name = 自定义模型
model-pasted = config.json 或 Megatron 参数
model-use-text = 使用此内容
model-form = 或填写结构
model-form-about = 已按当前模型或无法计数的内容预填。采用 RMS 归一化和旋转位置编码，除下列偏置外均无偏置；空字段不写入
model-use-form = 使用此结构
model-field-num-layers = 层数
model-field-hidden-size = 隐藏维度
model-field-num-attention-heads = 注意力头数
model-field-num-query-groups = 键值头数
model-field-kv-channels = 头维度
model-field-ffn-hidden-size = 前馈宽度
model-field-padded-vocab-size = 词表大小
model-field-max-position-embeddings = 上下文长度
model-field-num-experts = 专家数
model-field-moe-router-topk = 每词元专家数
model-field-moe-ffn-hidden-size = 专家宽度
model-field-moe-shared-expert-intermediate-size = 共享专家宽度
model-field-first-dense-layers = 前几层稠密
model-field-q-lora-rank = 查询秩（MLA）
model-field-kv-lora-rank = 键值秩（MLA）
model-field-qk-head-dim = 非旋转头维度（MLA）
model-field-qk-pos-emb-head-dim = 旋转头维度（MLA）
model-field-v-head-dim = 值头维度（MLA）
model-field-swiglu = 门控前馈
model-field-tied = 共享词嵌入
model-field-add-qkv-bias = 查询、键、值偏置
model-field-qk-layernorm = 查询和键归一化

# Cluster
cluster-template = 机型
template-own = 自定义
cluster-gpus = { $count } 张 GPU
cluster-all-fields = 全部字段
accelerator-nothing = 目录中没有此名称的 GPU

# Strategy
strategy-all-auto = 全部自动
strategy-free-all = 全部改为自动

# Price
term-on-demand = 按量付费
term-months = { $count } 个月
platforms-hint = 不选则比较原文三个平台及最便宜的另外三个

# Choices
choice-kind-pretrain = 预训练
choice-kind-full-fine-tune = 全参微调
choice-kind-lora = LoRA
choice-precision-bf16-mixed = bf16 混合精度
choice-precision-fp8-mixed = fp8 混合精度
choice-precision-pure-bf16 = 纯 bf16
choice-optimizer-adamw = AdamW
choice-optimizer-adamw-8bit = AdamW，8 位
choice-optimizer-adamw-bf16 = AdamW，bf16 动量
choice-optimizer-sgd = SGD，无动量

choice-base-16-bit = 16 位
choice-base-8-bit = 8 位
choice-base-nf4 = 4 位 NF4（QLoRA）
choice-base-gptq4 = 4 位 GPTQ
choice-intra-nvswitch = NVSwitch
choice-intra-nvlink-pairs = NVLink 成对
choice-intra-mesh = 全互联
choice-intra-pcie-peer-to-peer = PCIe 点对点
choice-intra-pcie-through-host = PCIe 经主机中转
choice-fabric-infiniband = InfiniBand
choice-fabric-roce = RoCE
choice-fabric-efa = EFA
choice-fabric-tcpx = GPUDirect-TCPX
choice-fabric-ethernet = 以太网
choice-framework-megatron-core = Megatron-Core
choice-framework-deepspeed = DeepSpeed
choice-framework-torchtitan = torchtitan（FSDP2）
choice-framework-megatron-legacy = Megatron-LM，2021–2023
choice-framework-megatron-deepspeed = Megatron-DeepSpeed
choice-framework-fsdp-eager = FSDP，未编译
choice-framework-hugging-face = Hugging Face Trainer
choice-framework-fused-cuda = 融合 CUDA
choice-zero-none = 不分片
choice-zero-optimizer = ZeRO-1，优化器
choice-zero-gradients = ZeRO-2，加梯度
choice-zero-weights = ZeRO-3，加权重
choice-recompute-none = 不重计算
choice-recompute-selective = 选择性
choice-recompute-layernorm = 归一化
choice-recompute-mlp = 前馈
choice-recompute-layernorm-mlp = 归一化与前馈
choice-recompute-full = 全部
choice-offload-none = 不卸载
choice-offload-optimizer = 优化器到主机
choice-offload-optimizer-and-weights = 优化器与权重
choice-offload-optimizer-nvme = 优化器，到 NVMe
choice-offload-optimizer-and-weights-nvme = 优化器与权重，到 NVMe
choice-currency-cny = ¥ 人民币
choice-currency-usd = $ 美元

# Values out of bounds
field-range = 请输入 { $low } 到 { $high } 之间的数
field-range-or-auto = 请输入 { $low } 到 { $high } 之间的数，留空为自动
problem-numbers = { $field }为 { $value }，应在 { $low } 到 { $high } 之间
problem-characters = { $field }有 { $value } 个字符，应为 { $low } 到 { $high } 个
problem-entries = { $field }有 { $value } 项，最多 { $high } 项
problem-id = { $field }为 { $value }，只能用小写字母、数字、点、短横线和下划线
problem-printable = { $field }为 { $value }，请去掉控制字符

# Project files
file-too-large = { $bytes } 字节过大，最多读取 { $limit } 字节；请确认这是项目文件
file-too-deep = { $path } 嵌套超过 { $limit } 层；请确认这是项目文件
file-too-many = 超过 { $limit } 个值；请确认这是项目文件
file-alias = { $path }：不支持锚点和别名，请直接写出值
file-syntax = 不是 YAML：{ $detail }；请检查该处缩进
file-not-a-project = 不是项目文件，首行应为“meshwright: 1”
file-version = 版本 { $found } 未知，最高支持 { $newest }；请更新页面
file-unknown-key = 未知的 { $path }，请删去
file-unknown-key-nearest = 未知的 { $path }，是否应为 { $nearest }？
file-duplicate-key = { $path } 重复，请只留一个
file-missing = 缺少 { $path }，请补上
file-wrong-type = { $path } 为 { $found }，应写成{ $expected }
file-unknown-word = { $path } 为 { $found }，可用 { $choices }
file-one-of = { $path } 需要且只能有其一：{ $keys }
expected-section = 其下的键和值
expected-list = 列表
expected-text = 文字
expected-whole-number = 整数
expected-number = 数字，如 128、2.5、1e9 或 14.8T
expected-object = 对象
expected-flag = true 或 false
expected-list-of-texts = 文字列表
expected-true-or-false = true 或 false

# Share links
link-not-a-link = 不是本页面的链接，请确认是否完整
link-version = 链接版本为 { $found }，由更新的页面生成；请刷新本页
link-damaged = 链接被截断或改动，请重新复制
link-too-large = 链接内容超过 { $limit } 字节，请改用文件

# Model files
config-too-long = { $bytes } 字节过大，最多读取 { $most } 字节；请只放 config.json
config-too-deep = 第 { $line } 行第 { $column } 列：嵌套超过 { $most } 层；请只放 config.json
config-syntax = 第 { $line } 行第 { $column } 列：{ $cause }；请检查该处 JSON
config-cause-end = 内容过早结束
config-cause-trailing-comma = 右括号前多了逗号
config-cause-trailing-text = 结尾之后还有内容
config-cause-value = 此处应为值
config-cause-key = 此处应为双引号中的键
config-cause-colon = 键后应为冒号
config-cause-comma = 此处应为逗号或右括号
config-cause-control = 文字中有换行或控制字符
config-cause-escape = JSON 没有这种反斜杠转义
config-cause-number = JSON 没有这种数字写法
config-cause-other = 不是 JSON
config-other-file = 这是{ $kind }，请改用模型自己的 config.json
config-kind-tokenizer = 分词器文件
config-kind-generation = 文本生成设置
config-kind-adapter = 适配器配置，本身没有层
config-kind-processor = 图像或声音处理器设置
config-kind-weight-index = 权重文件索引
config-kind-deepspeed = DeepSpeed 配置
config-kind-diffusers = 图像模型配置
config-kind-readme = 说明文字
config-kind-web-page = 网页
config-kind-lfs-pointer = 未取回文件的 Git LFS 指针
config-missing-field = 缺少字段 { $field }，请使用完整的文件
config-wrong-type = 字段 { $field } 应为 { $expected }，实为 { $found }
config-out-of-bounds = 字段 { $field } 为 { $value }，应在 { $least } 到 { $most } 之间
config-not-divisible = 字段 { $field } 为 { $value }，不是 { $other } = { $limit } 的倍数
config-too-large = 字段 { $field } 为 { $value }，大于 { $other } = { $limit }
config-unsupported-family = 不支持 { $model-type } 类模型，请手动填写其结构
config-unsupported-family-nearest = 不支持 { $model-type } 类模型，是否为 { $nearest }？
config-unsupported-presence = 无法表达 { $field } = { $value } 的 { $model-type } 类模型
config-unsupported-field = 无法表达 { $field } = { $value } 的 { $model-type } 类模型，支持 { $supported }

# Launch files
launch-target = 启动器
launch-files = 文件
launch-writing = 正在生成文件
launch-none = 没有启动器能运行此方案
launch-cannot = { $name }（不支持）
launch-zip = 打包下载 zip
refusal-unknown-target = 没有名为 { $name } 的启动器，可用的有 { $known }
refusal-no-plan = 没有可写出的有效方案，请看结论
refusal-cannot-express = 此启动器无法表达 { $knob } = { $value }；请改为自动或换启动器
refusal-nothing-fits = 此启动器能表达的布局都放不下，受限于 { $knob }
inputs-unknown = { $field }：目录中没有 { $name }，请从列表中选
inputs-unknown-nearest = { $field }：目录中没有 { $name }，是否为 { $nearest }？
target-megatron-slurm = Megatron-LM，Slurm
target-deepspeed = DeepSpeed
target-pytorchjob = PyTorchJob，Kubernetes

# Ready-made clusters
template-pcie-4090-8 = 8 × RTX 4090，PCIe
template-pcie-l40s-8 = 8 × L40S，PCIe
template-pcie-h100-8 = 8 × H100 PCIe，NVLink 成对
template-dgx-a100-80g = 8 × A100 80 GB，NVSwitch
template-dgx-h100 = 8 × H100，NVSwitch
template-hgx-a800-8 = 8 × A800，NVSwitch
template-hgx-h800-8 = 8 × H800，NVSwitch
template-dgx-h200 = 8 × H200，NVSwitch
template-hgx-h20-8 = 8 × H20，NVSwitch
template-dgx-b200 = 8 × B200，NVSwitch
template-mi300x-8 = 8 × MI300X，全互联
template-gb200-nvl72 = GB200 NVL72 机柜

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
provider-oci = 甲骨文云 OCI
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
provider-alibaba = 阿里云
provider-autodl = AutoDL
provider-ctyun = 天翼云
provider-gongji = 共绩算力
provider-gpushare = 恒源云
provider-shengsuan = 胜算云
provider-tencent = 腾讯云
provider-volcengine = 火山引擎
provider-zhixingyun = 智星云
catalog-source = 来源：{ $source }；可信度：{ $confidence }
preset-source = 来源：{ $source }；核对方式：{ $check }
